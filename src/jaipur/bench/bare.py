"""The least that the web framework does for a POST with a checked JSON body: what a move is measured against."""

import socket

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, Field

app = FastAPI(openapi_url=None)


class ChosenMove(BaseModel):
    """A move for a ply, as the API takes it."""

    move: str = Field(max_length=40)
    ply: int = Field(ge=0)


@app.post("/moves")
async def play(move: ChosenMove) -> dict[str, int]:
    """Answers at once."""
    return {"number": move.ply + 1}


def main() -> None:
    """Listens on a free port of this machine, which is printed."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)  # noqa: T201 - for the program that starts it
        uvicorn.Server(uvicorn.Config(app, access_log=False, log_level="warning")).run([listening])


if __name__ == "__main__":
    main()
