"""What a browser needs to be notified while its page is closed. These addresses exist only where push is set up."""

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from jaipur.server.edge.routes import Route
from jaipur.server.people.push.sender import PushSender
from jaipur.server.render import STATIC
from jaipur.server.services import GuestDep, ServicesDep
from jaipur.server.site.pages import Text

router = APIRouter(route_class=Route, include_in_schema=False)


async def _sender(services: ServicesDep) -> PushSender:
    if services.push is None:
        raise HTTPException(404)
    return services.push


PushSenderDep = Annotated[PushSender, Depends(_sender)]


@router.get("/sw.js")
def worker() -> FileResponse:
    """The service worker. It is served from the root, since its scope is limited to pages below its own address."""
    return FileResponse(
        STATIC / "live" / "push_worker.js", media_type="text/javascript", headers={"cache-control": "no-cache"}
    )


@router.post("/push")
def subscribe(sender: PushSenderDep, guest: GuestDep, endpoint: Text, p256dh: Text, auth: Text) -> Response:
    """This browser wants notifications."""
    sender.subscribe(guest.required_holder(), endpoint, p256dh, auth)
    return Response(status_code=204)


@router.post("/push/stop")
def unsubscribe(sender: PushSenderDep, endpoint: Text) -> Response:
    """This browser wants no more notifications."""
    sender.subscriptions.remove(endpoint)
    return Response(status_code=204)
