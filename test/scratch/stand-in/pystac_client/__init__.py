"""The calls of pystac-client that the guide makes, for machines where it cannot be installed.

The same requests go over the wire: the landing page, its search link by POST, the pages behind `next`.
"""

import json
import urllib.request


def _ask(url, headers, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


class _Asset:
    def __init__(self, document):
        self.href = document["href"]
        self.extra_fields = {key: value for key, value in document.items() if key not in ("href", "type", "title", "roles")}


class _Item:
    def __init__(self, document):
        self.id = document["id"]
        self.collection_id = document["collection"]
        self.properties = document["properties"]
        self.assets = {key: _Asset(value) for key, value in document["assets"].items()}


class _Search:
    def __init__(self, url, headers, body):
        self._url, self._headers, self._body = url, headers, body

    def _pages(self):
        url, body = self._url, self._body
        while True:
            page = _ask(url, self._headers, body)
            yield page
            link = next((link for link in page["links"] if link["rel"] == "next"), None)
            if link is None:
                return
            url = link["href"]
            body = {**self._body, **link["body"]} if link.get("merge") else link["body"]

    def matched(self):
        return _ask(self._url, self._headers, {**self._body, "limit": 1})["numberMatched"]

    def items(self):
        for page in self._pages():
            yield from map(_Item, page["features"])


class Client:
    def __init__(self, landing, headers):
        conformance = landing["conformsTo"]
        for part in ("", "#sort", "#query", "#fields"):
            assert f"https://api.stacspec.org/v1.0.0/item-search{part}" in conformance, part
        links = [link for link in landing["links"] if link["rel"] == "search" and link["method"] == "POST"]
        self._search, self._headers = links[0]["href"], headers

    @classmethod
    def open(cls, url, headers):
        return cls(_ask(url, headers), headers)

    def search(self, *, collections, bbox, datetime, query, sortby, limit):
        start, end = datetime.split("/")
        direction, field = ("desc", sortby[1:]) if sortby.startswith("-") else ("asc", sortby)
        body = {
            "collections": collections,
            "bbox": bbox,
            "datetime": f"{start}T00:00:00Z/{end}T23:59:59Z",
            "query": query,
            "sortby": [{"field": field, "direction": direction}],
            "limit": limit,
        }
        return _Search(self._search, self._headers, body)
