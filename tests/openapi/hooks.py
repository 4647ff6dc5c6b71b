"""What schemathesis must know of a robot: how its uploads are sent. `check` names this file to it."""

import schemathesis


@schemathesis.serializer("application/wasm", "application/octet-stream")
def as_bytes(context, value):
    """Sends bytes as they are, and everything else as text."""
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.deserializer("application/wasm", "application/octet-stream")
def of_bytes(context, response):
    """A file is a text of bytes."""
    return response.content.decode("latin-1")
