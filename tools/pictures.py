"""Makes the bitmaps that browsers, scrapers and environments want from our own drawings: `python -m tools.pictures`."""

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from tests.browser.conftest import FLAGS, chromium

from jaipur.art import DRAWINGS

ART = Path(__file__).parent.parent / "src" / "jaipur" / "art"
ICONS = {"icon-192": 192, "icon-512": 512, "apple-touch-icon": 180}
"""Icons that fill their square."""
_DUSK = "#1f1b3a"
_SHARED = (1200, 630)
"""The size that scrapers show uncropped."""
_CARD = (200, 280)
_QUALITY = 50

_ICON = """<style>body {{ margin: 0; background: {ground} }} img {{ display: block; width: {part}vw; margin: {edge}vw }}
</style><img src="{art}/logo.svg">"""
_DRAWINGS = """<style>body {{ margin: 0; display: flex; align-items: start; background: transparent }}
img {{ width: 200px }}</style>{row}"""
_SCENE = """<style>
body {{ margin: 0; width: 1200px; height: 630px; overflow: hidden; background: {ground}; position: relative }}
.scene {{ position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover;
  object-position: 50% 100%; filter: blur(2px) }}
.shade {{ position: absolute; inset: 0; background: linear-gradient(#1f1b3acc, #1f1b3a33 45%, #1f1b3acc) }}
h1 {{ position: absolute; inset: 30px 0 auto; margin: 0; text-align: center; color: #fdf1d8;
  font: 700 104px Georgia, "Noto Serif", "DejaVu Serif", serif; letter-spacing: 4px; text-shadow: 0 4px 24px #000a }}
.row {{ position: absolute; inset: auto 0 84px; display: flex; justify-content: center; align-items: flex-end }}
.row img {{ filter: drop-shadow(0 10px 18px #0008) }}
.fan img {{ width: 204px; margin: 0 -16px }}
.fan img:nth-child(1) {{ rotate: -13deg; translate: 0 46px }}
.fan img:nth-child(2) {{ rotate: -6.5deg; translate: 0 10px }}
.fan img:nth-child(4) {{ rotate: 6.5deg; translate: 0 10px }}
.fan img:nth-child(5) {{ rotate: 13deg; translate: 0 46px }}
.seals img {{ width: 320px; margin: 0 34px }}
</style>
<img class="scene" src="{art}/market-dusk.svg"><div class="shade"></div>
<h1>Jaipur</h1><div class="row {kind}">{row}</div>"""
SCENES = {
    "share": ("fan", ("leather", "diamond", "camel", "gold", "spice")),
    "result": ("seals", ("seal", "seal")),
}


def main() -> None:
    """Makes all of them, in the folder of the drawings."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        for name, width in ICONS.items():
            _icon(page, width, 100).save(ART / f"{name}.png", optimize=True)
        # Systems crop a maskable icon to their own shape, so the drawing stays in the middle.
        _icon(page, 512, 76).save(ART / "icon-maskable.png", optimize=True)
        small = _icon(page, 64, 100)
        small.save(ART / "favicon.ico", sizes=[(16, 16), (32, 32), (48, 48)])
        for name, (kind, drawings) in SCENES.items():
            _scene(page, kind, drawings).save(ART / f"{name}.jpg", quality=_QUALITY, optimize=True, progressive=True)
        _drawings(page).save(ART / "drawings.png", optimize=True)
        browser.close()


def _icon(page: Page, width: int, part: int) -> Image.Image:
    page.set_viewport_size({"width": width, "height": width})
    picture = _shot(page, _ICON.format(ground=_DUSK, part=part, edge=(100 - part) / 2, art=ART.as_uri()))
    return picture.quantize(128, method=Image.Quantize.MEDIANCUT)


def _drawings(page: Page) -> Image.Image:
    """All drawings of a table side by side, between transparent corners."""
    page.set_viewport_size({"width": len(DRAWINGS) * _CARD[0], "height": _CARD[1]})
    return _shot(page, _DRAWINGS.format(row=_row(DRAWINGS)), "RGBA").quantize(256, method=Image.Quantize.FASTOCTREE)


def _scene(page: Page, kind: str, drawings: tuple[str, ...]) -> Image.Image:
    page.set_viewport_size({"width": _SHARED[0], "height": _SHARED[1]})
    return _shot(page, _SCENE.format(ground=_DUSK, art=ART.as_uri(), kind=kind, row=_row(drawings)))


def _row(drawings: tuple[str, ...]) -> str:
    return "".join(f'<img src="{(ART / name).as_uri()}.svg">' for name in drawings)


def _shot(page: Page, html: str, mode: str = "RGB") -> Image.Image:
    """A picture of a page, loaded from a file next to the drawings so that the browser may read them."""
    file = ART / "picture.html"
    file.write_text(f"<!doctype html><meta charset=utf-8>{html}")
    try:
        page.goto(file.as_uri())
        return Image.open(io.BytesIO(page.screenshot(omit_background=mode == "RGBA"))).convert(mode)
    finally:
        file.unlink()


if __name__ == "__main__":
    main()
