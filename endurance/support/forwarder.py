"""A port that forwards to another and can fail, like the network or a proxy in front of a database."""

import contextlib
import selectors
import socket
import threading

_BYTES = 65536


class Forwarder:
    """Forwards whatever comes to its port, in threads of its own, except while it fails."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self._listening: socket.socket | None = None
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self.repair()

    def repair(self) -> None:
        """Accepts connections, on the same port as before."""
        self._listening = socket.create_server(("127.0.0.1", self.port), backlog=200)
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def fail(self) -> None:
        """Cuts all connections and accepts no more."""
        if self._listening is not None:
            self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()
        with self._lock:
            ending, self._open = self._open, []
        for end in ending:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self, listening: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _address = listening.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        with near, contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.target)) as far:
            with self._lock:
                self._open += [near, far]
            with selectors.DefaultSelector() as waiting:
                waiting.register(near, selectors.EVENT_READ, far)
                waiting.register(far, selectors.EVENT_READ, near)
                while True:
                    for key, _events in waiting.select():
                        data = key.fileobj.recv(_BYTES)  # type: ignore[union-attr]
                        if not data:
                            return
                        key.data.sendall(data)
