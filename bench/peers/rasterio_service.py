"""A tile service on rasterio: /KIND/Z/X/Y.FORMAT?ZLEVEL, two processes, files opened for each request as TiTiler does."""

import json
import math
import os
import socket
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import rasterio
from rasterio_render import draw_tile

FILES = json.loads(sys.argv[2])
HALF = math.pi * 6378137


def files_at(bounds):
    """Paths of the files of the grid that a tile meets; TiTiler's search gives it these."""
    west, south, east, north = bounds
    return [
        file["path"]
        for file in FILES["grid"]
        if file["bounds"][0] < east and file["bounds"][2] > west and file["bounds"][1] < north and file["bounds"][3] > south
    ]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path, _, zlevel = self.path.partition("?")
        _, kind, z, x, last = path.split("/")
        y, form = last.split(".")
        size = 2 * HALF / 2 ** int(z)
        west, north = int(x) * size - HALF, HALF - int(y) * size
        bounds = (west, north - size, west + size, north)
        paths = files_at(bounds) if kind == "grid" else FILES[kind]
        with rasterio.Env():
            body = draw_tile(kind, paths, bounds, 256, form, int(zlevel or 6))
        self.send_response(200)
        self.send_header("Content-Type", f"image/{form}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    def server_bind(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().server_bind()


if __name__ == "__main__":
    child = os.fork()
    Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
