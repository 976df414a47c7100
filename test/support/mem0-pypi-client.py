"""Runs mem0's own Python clients: calls come in as JSON lines, answers go out as JSON lines.

A call names the kind of client, host and key. A socket to anywhere but loopback is an error.
"""

import asyncio
import inspect
import json
import socket
import sys

open_socket = socket.socket.connect


def connect(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1"):
        raise OSError(f"a socket to {address[0]} was asked for")
    return open_socket(self, address)


socket.socket.connect = connect

from mem0 import AsyncMemoryClient, MemoryClient  # noqa: E402

loop = asyncio.new_event_loop()
clients = {}


async def make_async(host, key):
    return AsyncMemoryClient(api_key=key, host=host)


def client_of(kind, host, key):
    name = (kind, host, key)
    if name not in clients:
        if kind == "pypi-async":
            clients[name] = loop.run_until_complete(make_async(host, key))
        else:
            clients[name] = MemoryClient(api_key=key, host=host)
    return clients[name]


for line in sys.stdin:
    call = json.loads(line)
    try:
        method = client_of(call["kind"], call["host"], call["key"])
        for name in call["method"].split("."):
            method = getattr(method, name)
        value = method(*call["args"], **call["named"])
        if inspect.isawaitable(value):
            value = loop.run_until_complete(value)
        answer = {"value": value}
    except Exception as error:
        answer = {"error": {"name": type(error).__name__, "code": getattr(error, "error_code", None), "message": str(error)}}
    print(json.dumps(answer), flush=True)
