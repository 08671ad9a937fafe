"""Takes the screenshots for the README: `make screenshots`."""

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tests.browser.conftest import FLAGS, chromium
from tests.browser.player import Player
from tests.support.serving import serving

PICTURES = Path(__file__).parent.parent / "docs" / "screenshots"
_QUALITY = 82


def main() -> None:
    """Plays a little in a real browser and takes the screenshots."""
    PICTURES.mkdir(exist_ok=True)
    with serving(Path(tempfile.mkdtemp()), "--pause", "0") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        size = {"width": 1280, "height": 800}
        context = browser.new_context(viewport=size, color_scheme="dark", reduced_motion="reduce")  # type: ignore[arg-type]
        player = Player(context, address, seed=8)
        player.go()
        _take(player.page, "start")
        player.against("merchant")
        while (view := player.await_turn())["status"] == "playing":
            move = player.choose(view)
            if len(player.view()["log"]) in range(14, 18):
                player.select(move)
                player.page.wait_for_timeout(500)
                _take(player.page, "table")
                player.page.keyboard.press("Escape")
            player.play(move)
        _take(player.page, "sheet")
        browser.close()


def _take(page: Page, name: str) -> None:
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=_QUALITY)


if __name__ == "__main__":
    main()
