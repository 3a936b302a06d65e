"""Requests with a token. Those that a busy platform did not take are repeated."""

import http.client
import json
import random
import re
import time
import urllib.parse
import urllib.request
import uuid

RETRIED_STATUSES = (429, 502, 503, 504)
MAX_RETRY_AFTER = 120.0


class PlatformError(Exception):
    """A refusal by the platform, or no answer from it."""

    def __init__(self, message, status, code, body):
        super().__init__(message)
        #: HTTP status; None for errors of GraphQL and of the network.
        self.status = status
        #: Code of the error, such as NOT_FOUND or invalid_manifest; None for plain REST.
        self.code = code
        #: The whole body of the answer.
        self.body = body


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Returns answers of any status, and follows no redirect."""

    def http_response(self, _request, response):
        return response

    https_response = http_response


class Transport:
    """Sends requests to one platform."""

    def __init__(self, url, token=None, attempts=4, timeout=60.0, wait=time.sleep):
        self.url = url.rstrip("/")
        self.token = token
        self._attempts = attempts
        self._timeout = timeout
        self._wait = wait
        self._opener = urllib.request.build_opener(_AnyStatus)

    def call(self, method, path, query=None, body=None, is_repeatable=None, accepts_errors=False):
        """Return the parsed JSON of an answer, or its bytes if it is not JSON. Raises PlatformError for a refusal.

        :param body: dict or list for JSON, bytes for application/octet-stream, a list of parts for a form
        """
        request = self._request(method, path, query, body)
        if is_repeatable is None:
            is_repeatable = method in ("GET", "PUT", "DELETE")
        attempt = 1
        while True:
            status, headers, content = self._send(request)
            can_repeat = is_repeatable or status == 429
            if attempt >= self._attempts or not can_repeat or not (status is None or status in RETRIED_STATUSES):
                break
            self._wait(_retry_after(headers) or 0.5 * 2 ** (attempt - 1) * (0.5 + random.random()))
            attempt += 1
        try:
            parsed = _parse(headers, content)
        except ValueError:
            raise unknown_answer(status) from None
        is_refused = status is None or not 200 <= status < 300
        if is_refused and not (accepts_errors and isinstance(parsed, dict) and "errors" in parsed):
            raise _error_of(status, parsed)
        return parsed

    def _request(self, method, path, query, body):
        pairs = {name: _word(value) for name, value in (query or {}).items() if value is not None}
        address = self.url + path + ("?" + urllib.parse.urlencode(pairs) if pairs else "")
        request = urllib.request.Request(address, method=method)
        if self.token is not None:
            # Else `http.client` fails with the token in its message.
            if not re.fullmatch(r"[\x21-\x7e]+", self.token):
                message = "The token has characters that no token has."
                raise PlatformError(message, 401, "UNAUTHENTICATED", None)
            request.add_header("Authorization", f"Bearer {self.token}")
        if isinstance(body, bytes):
            request.data = body
            request.add_header("Content-Type", "application/octet-stream")
        elif isinstance(body, Form):
            request.data = body.encode()
            request.add_header("Content-Type", body.content_type)
        elif body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        return request

    def _send(self, request):
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                return answer.status, answer.headers, answer.read()
        except http.client.IncompleteRead:
            message = "The answer was cut off: the request may have had its effect."
        except (OSError, http.client.HTTPException) as error:
            message = f"Nothing answers at {self.url}: {getattr(error, 'reason', error)}"
        return None, None, json.dumps({"error": message}).encode()


class Form:
    """A multipart form."""

    def __init__(self, **parts):
        """:param parts: dict for JSON, bytes for a file, str for a text; they are sent in this order"""
        self._parts = parts
        self._boundary = uuid.uuid4().hex
        self.content_type = f"multipart/form-data; boundary={self._boundary}"

    def encode(self):
        """Return the bytes of the form."""
        pieces = []
        for name, value in self._parts.items():
            head = f'--{self._boundary}\r\nContent-Disposition: form-data; name="{name}"'
            if isinstance(value, bytes):
                head += f'; filename="{name}"\r\nContent-Type: application/octet-stream'
            elif isinstance(value, dict):
                value = json.dumps(value).encode()
                head += "\r\nContent-Type: application/json"
            else:
                value = str(value).encode()
            pieces += [head.encode(), b"\r\n\r\n", value, b"\r\n"]
        return b"".join([*pieces, f"--{self._boundary}--\r\n".encode()])


def quote(value):
    """Escape a value for one segment of a path."""
    return urllib.parse.quote(str(value), safe="")


def unknown_answer(status):
    """Return the error for an answer that is none of the platform's."""
    cause = "is the address that of the platform?" if status < 500 else "the platform or a proxy before it fails."
    return PlatformError(f"HTTP {status} without an error of the platform: {cause}", status, None, None)


def _word(value):
    return str(value).lower() if isinstance(value, bool) else value


def _parse(headers, content):
    """Raises ValueError for a page, and for JSON that is none: another program answers."""
    kind = (headers or {}).get("Content-Type", "application/json")
    if kind.startswith("text/html"):
        raise ValueError(kind)
    if "json" not in kind:
        return content.decode() if kind.startswith("text/") else content
    return json.loads(content) if content else None


def _error_of(status, body):
    body = body if isinstance(body, dict) else {}
    nested = body.get("Error") if isinstance(body.get("Error"), dict) else {}
    message = nested.get("message") or body.get("message") or body.get("error") or body.get("detail")
    code = nested.get("error") or (body.get("error") if "message" in body else None)
    return PlatformError(message, status, code, body) if message else unknown_answer(status)


def _retry_after(headers):
    try:
        return min(max(float((headers or {})["Retry-After"]), 0.0), MAX_RETRY_AFTER)
    except (KeyError, TypeError, ValueError):
        return None
