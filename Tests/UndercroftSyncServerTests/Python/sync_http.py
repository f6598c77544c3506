"""Requests of the synchronisation protocol over HTTP. (Docs/Formats/SyncHTTP.md)"""
import http.client, json, random, ssl, time, urllib.parse, urllib.request

MEDIA_TYPE = "application/vnd.undercroft.sync.v1+json"
MESSAGE_BYTES = 16 << 20
ATTEMPTS = 6


class SyncError(Exception):
    """A failure after which all changes remain in the queue."""


class Unavailable(SyncError):
    """A failure after which the same request can succeed later."""


class TooLarge(SyncError):
    """The server accepts only a smaller packet."""


class EveryStatus(urllib.request.HTTPErrorProcessor):
    """Returns the answers of every status, and follows no redirects, which lose the body."""
    def http_response(self, request, response):
        return response
    https_response = http_response


class Server:
    def __init__(self, address, token_file):
        parts = urllib.parse.urlsplit(address)
        if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
            raise SyncError(f"{address} would receive the token unencrypted; use https")
        self.address, self.token_file = address.rstrip("/"), token_file
        self.opener = urllib.request.build_opener(EveryStatus)

    def send(self, endpoint, message):
        """Sends a message until the server answers it, and returns the answer."""
        body = json.dumps({"protocol": 1, **message}, ensure_ascii=False, allow_nan=False,
                          sort_keys=True, separators=(",", ":")).encode()
        refused, delay = None, 0
        for attempt in range(ATTEMPTS):
            time.sleep(delay)
            with open(self.token_file, encoding="utf-8") as file:
                token = file.read().strip()
            if token == refused:
                raise SyncError(f"the server refuses the token in {self.token_file}; renew it")
            request = urllib.request.Request(f"{self.address}/sync/v1/{endpoint}", body, {
                "Content-Type": MEDIA_TYPE, "Authorization": f"Bearer {token}"})
            try:
                with self.opener.open(request, timeout=90) as answer:
                    status, fields = answer.status, answer.headers
                    data = answer.read(MESSAGE_BYTES + 1)
            except (OSError, http.client.HTTPException) as error:
                cause = getattr(error, "reason", error)
                if isinstance(cause, ssl.SSLCertVerificationError):
                    raise SyncError(f"the certificate of {self.address} is not valid: "
                                    f"{cause.verify_message}") from error
                status, fields, data = 503, http.client.HTTPMessage(), b""
            if status in (200, 202, 409, 426) and fields.get_content_type() == MEDIA_TYPE:
                if len(data) > MESSAGE_BYTES:
                    raise SyncError("the answer of the server is too large")
                return json.loads(data)
            if status == 413:
                raise TooLarge(f"the {endpoint} request is too large for the server")
            if status == 401:
                refused, delay = token, 0
                continue
            if status not in (408, 429, 502, 503, 504):
                raise SyncError(f"the server answers {status}: {data.decode('utf-8', 'replace')}")
            after = fields.get("Retry-After", "")
            delay = (min(int(after), 300) + random.random() if after.isdecimal()
                     else random.uniform(0, 2 ** attempt))
        raise Unavailable(f"the server is not available (status {status})")
