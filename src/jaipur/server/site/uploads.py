"""Uploaded records are read one at a time: reading one replays a whole match, and would hold up other games."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from fastapi import UploadFile

from jaipur.rules.errors import N_, JaipurError
from jaipur.server.errors import TooManyUploads
from jaipur.threads import in_thread

_PATIENCE_SECONDS = 10.0
_T = TypeVar("_T")


def text_of(upload: UploadFile | None) -> str:
    """The text of a file; none for a form in which no file was chosen."""
    if upload is None:
        return ""
    try:
        return upload.file.read().decode()
    except UnicodeDecodeError as error:
        raise JaipurError(N_("{path} is not a text file."), path=(upload.filename or "")[:80]) from error


class Uploads:
    """The queue of records that wait to be read."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(1)

    async def read(self, task: Callable[[], _T]) -> _T:
        """Runs the task in a thread when its turn comes; raises `TooManyUploads` if that takes too long."""
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await self._turn.acquire()
        except TimeoutError as error:
            raise TooManyUploads from error
        try:
            return await in_thread(task)
        finally:
            self._turn.release()
