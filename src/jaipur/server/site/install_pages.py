"""What a browser requests besides pages: icons at their usual addresses, and the manifest for installing the app."""

from fastapi import APIRouter
from starlette.responses import FileResponse, JSONResponse

from jaipur.language import _, current_language
from jaipur.server.edge.routes import Route
from jaipur.server.render import ART, asset

router = APIRouter(route_class=Route, include_in_schema=False)
_DAY = 24 * 3600
_CACHED = {"cache-control": f"public, max-age={_DAY}"}


@router.get("/favicon.ico")
def favicon() -> FileResponse:
    """The icon for browsers and bookmarks that know no other."""
    return FileResponse(ART / "favicon.ico", headers=_CACHED, media_type="image/x-icon")


@router.get("/apple-touch-icon.png")
def apple_touch_icon() -> FileResponse:
    """The icon for the home screen of an Apple device."""
    return FileResponse(ART / "apple-touch-icon.png", headers=_CACHED)


@router.get("/manifest.webmanifest")
def manifest() -> JSONResponse:
    """How the app is installed."""
    icons = [("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any"), ("logo.svg", "any", "any"),
             ("icon-maskable.png", "512x512", "maskable")]  # fmt: skip
    about = {
        "id": "/",
        "name": "Jaipur",
        "short_name": "Jaipur",
        "description": _("A trading game for two: about ten minutes per round, and two seals win. No account needed."),
        "lang": current_language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#17132b",
        "theme_color": "#17132b",
        "categories": ["games"],
        "icons": [{"src": asset(f"art/{name}"), "sizes": sizes, "purpose": use} for name, sizes, use in icons],
    }
    return JSONResponse(about, media_type="application/manifest+json")
