"""Uploads files, lists the catalog and saves a preview of the last file; `verify` checks a webhook. Needs Python 3.9 alone.

    python3 catalog.py FILE...
    python3 catalog.py verify ID TIMESTAMP SIGNATURE < body    # with WEBHOOK_SECRET
"""
import base64, hashlib, hmac, http.client, json, os, re, sys, time, urllib.error, urllib.parse, urllib.request

CATALOG = os.environ.get("CATALOG_URL", "http://127.0.0.1:3000/")  # the defaults are those of the demo
TOKEN_URL = os.environ.get("TOKEN_URL", "http://127.0.0.1:3001/oauth/token")
CLIENT = {
    "grant_type": "client_credentials",
    "client_id": os.environ.get("CLIENT_ID", "demo"),
    "client_secret": os.environ.get("CLIENT_SECRET", "demo-secret"),
    "audience": os.environ.get("AUDIENCE", "https://image-catalog.example/"),
}
TRIES, MAX_WAIT = 6, 60
TEMPORARY = (408, 429, 502, 503, 504)
token = None


class Refused(Exception):
    """The same request would be refused again, others may succeed."""


class Unavailable(Exception):
    """Nothing is lost: run the program again later."""


def get_token():
    try:
        with urllib.request.urlopen(TOKEN_URL, urllib.parse.urlencode(CLIENT).encode(), 30) as response:
            return json.load(response)["access_token"]
    except urllib.error.HTTPError as error:
        if error.code in TEMPORARY:
            raise
        text = error.read().decode(errors="replace")
        raise Unavailable(f"no token: {error.code} {text}")  # Not for this file alone: the client or its secret.


def call(path, body=None, headers={}):
    """Returns headers and bytes. Repeats what is safe to repeat, which an upload with a key is."""
    global token
    renewed = False
    for attempt in range(TRIES):
        wait = 0.5 * 2**attempt
        try:
            token = token or get_token()
            request = urllib.request.Request(
                urllib.parse.urljoin(CATALOG, path), body, {**headers, "Authorization": f"Bearer {token}"}
            )
            with urllib.request.urlopen(request, timeout=150) as response:
                return response.headers, response.read()
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            code = (re.search(r'"code":"(\w+)"', text) or [None, "unexpected_response"])[1]
            reason = f"{error.code} {code}: {text}"
            if error.code == 401 and not renewed:  # The token has expired, so get another one, once.
                token, renewed, wait = None, True, 0
            elif error.code in (401, 403):  # Not for this file alone: the token, its scopes or the quota.
                raise Unavailable(reason)
            elif error.code not in TEMPORARY and code != "idempotency_key_in_use":
                raise Refused(reason)
            seconds = error.headers.get("Retry-After", "")
            wait = float(seconds) if seconds.isdecimal() else wait  # A date is ignored.
        except (OSError, http.client.HTTPException) as error:  # No response: it may have been done, or not.
            reason, token = repr(error), None  # A refusal of a large body can look like this, so renew the token, too.
        if wait > MAX_WAIT:
            break
        print(f"again in {wait:g} s: {reason}", file=sys.stderr)
        time.sleep(wait)
    raise Unavailable(reason)


def upload(path):
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Refused(error.strerror)
    digest = hashlib.sha256(data).hexdigest()
    boundary = digest[:32]
    name = os.path.basename(path).replace('"', "%22")
    form = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    headers = {
        "Content-Type": f"multipart/form-data; boundary={boundary}",
        "X-Content-SHA256": digest,  # The service refuses bytes that were damaged on the way.
        "Idempotency-Key": digest,  # The same at every try, also of another run: one image for these bytes.
    }
    return json.loads(call("api/upload", form.encode() + data + f"\r\n--{boundary}--\r\n".encode(), headers)[1])


def list_images(path="api/images?limit=100"):
    while path:
        headers, body = call(path)
        yield from json.loads(body)
        link = re.match(r'<([^>]*)>; rel="next"', headers.get("Link", ""))
        path = link and urllib.parse.urljoin("api/images", link[1])  # A page without the link is the last.


def save_preview(id, path):
    data = call(f"api/image/{id}/file?width=320&format=webp")[1]
    with open(path, "wb") as file:
        file.write(data)


def is_genuine(secret, id, timestamp, signatures, body):
    """Standard Webhooks: `body` are the bytes as they came."""
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any([hmac.compare_digest(expected, signature) for signature in signatures.split(" ")])


def main(files):
    status, last = 0, None
    for path in files:
        try:
            last = upload(path)["id"]
            print(f"uploaded {last} {path}")
        except Refused as error:  # Such as 422 for a file that is no picture. The others go on.
            status = 1
            print(f"refused {path}: {error}", file=sys.stderr)
    print("listed", sum(1 for _ in list_images()))
    if last is not None:
        save_preview(last, "preview.webp")
        print("saved preview.webp")
    return status


if __name__ == "__main__":
    if sys.argv[1:2] == ["verify"]:
        sys.exit(0 if is_genuine(os.environ["WEBHOOK_SECRET"], *sys.argv[2:5], sys.stdin.buffer.read()) else 1)
    try:
        sys.exit(main(sys.argv[1:]))
    except (Refused, Unavailable) as error:
        print(f"stopped, run it again: {error}", file=sys.stderr)
        sys.exit(75)
