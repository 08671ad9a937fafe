"""Takes the screenshots for the README: `make screenshots`."""

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tests.browser.conftest import FLAGS, chromium
from tests.browser.guest import Guest
from tests.serving import end_server, start_server

PICTURES = Path(__file__).parent.parent / "docs" / "screenshots"
_QUALITY = 82


def main() -> None:
    """Plays a little in a real browser and takes the screenshots."""
    PICTURES.mkdir(exist_ok=True)
    server, address = start_server(Path(tempfile.mkdtemp()), "--pause", "0")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        size = {"width": 1280, "height": 800}
        context = browser.new_context(viewport=size, color_scheme="dark", reduced_motion="reduce")  # type: ignore[arg-type]
        guest = Guest(context, address, seed=8)
        guest.go()
        _take(guest.page, "start")
        guest.against("merchant")
        while (view := guest.await_turn())["status"] == "playing":
            move = guest.choose(view)
            if len(guest.view()["log"]) in range(14, 18):
                guest.select(move)
                guest.page.wait_for_timeout(500)
                _take(guest.page, "table")
                guest.page.keyboard.press("Escape")
            guest.play(move)
        _take(guest.page, "sheet")
        browser.close()
    end_server(server)


def _take(page: Page, name: str) -> None:
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=_QUALITY)


if __name__ == "__main__":
    main()
