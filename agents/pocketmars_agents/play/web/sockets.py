"""Sockets that only this machine can reach."""

import socket

LOOPBACK = "127.0.0.1"


def listening(port: int) -> socket.socket:
    """Returns a listening socket that only this machine can reach.

    Args:
        port: the port; 0 for a free one.

    Raises:
        ValueError: if the port is in use or invalid.

    """
    place = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind((LOOPBACK, port))
        place.listen()  # early connections wait until the server is ready
    except (OSError, OverflowError) as error:
        place.close()
        raise ValueError(f"cannot listen on port {port}: {error}; use --port 0 for a free one") from error
    return place


def listening_again(port: int) -> socket.socket:
    """Returns a socket at the last port of a game, or at a free one if it is in use; see `listening`."""
    try:
        return listening(port)
    except ValueError:
        return listening(0)
