<?php
/**
 * Uploads files, lists the catalog and saves a preview of the last file; `verify` checks a webhook. PHP 8.1 with curl.
 *
 *     php catalog.php FILE...
 *     php catalog.php verify ID TIMESTAMP SIGNATURE < body    # with WEBHOOK_SECRET
 */
declare(strict_types=1);

/** The same request would be refused again, others may succeed. */
class Refused extends Exception {}

/** Nothing is lost: run the program again later. */
class Unavailable extends Exception {}

const TEMPORARY = [408, 429, 502, 503, 504];

/** The default is that of the demo. */
function setting(string $name, string $default): string
{
    return getenv($name) ?: $default;
}

/** @return array{int, array<string, string>, string} status (0: no response), headers and body */
function send(string $url, array $headers = [], mixed $fields = null): array
{
    $received = [];
    $curl = curl_init($url);
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_CONNECTTIMEOUT => 10,
        CURLOPT_TIMEOUT => 150,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$received): int {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $received[strtolower($name)] = trim($value);
            return strlen($line);
        },
    ] + ($fields === null ? [] : [CURLOPT_POSTFIELDS => $fields]));
    $body = curl_exec($curl);
    $status = $body === false ? 0 : curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    return [$status, $received, $body === false ? curl_error($curl) : $body];
}

/** @return array{int, array<string, string>, string} with the token as the body if the status is 200 */
function getToken(): array
{
    [$status, $headers, $body] = send(setting('TOKEN_URL', 'http://127.0.0.1:3001/oauth/token'), [], http_build_query([
        'grant_type' => 'client_credentials',
        'client_id' => setting('CLIENT_ID', 'demo'),
        'client_secret' => setting('CLIENT_SECRET', 'demo-secret'),
        'audience' => setting('AUDIENCE', 'https://image-catalog.example/'),
    ]));
    if (!in_array($status, [0, 200, ...TEMPORARY], true)) { // Not for this file alone: the client or its secret.
        throw new Unavailable("no token: $status $body");
    }
    return [$status, $headers, $status === 200 ? json_decode($body, true)['access_token'] : $body];
}

/** Returns headers and body. Repeats what is safe to repeat, which an upload with a key is. */
function call(string $path, array $headers = [], ?array $fields = null): array
{
    static $token = null;
    $renewed = false;
    for ($attempt = 0; $attempt < 6; $attempt++) {
        $answer = $token === null ? getToken() : [200, [], $token];
        if ($answer[0] === 200) {
            $token = $answer[2];
            $url = setting('CATALOG_URL', 'http://127.0.0.1:3000/') . $path;
            $answer = send($url, [...$headers, "Authorization: Bearer $token"], $fields);
        }
        [$status, $received, $body] = $answer;
        if ($status >= 200 && $status < 300) {
            return [$received, $body];
        }
        $code = json_decode($body, true)['code'] ?? 'unexpected_response';
        $reason = $status === 0 ? "no response: $body" : "$status $code: $body";
        $wait = 0.5 * 2 ** $attempt;
        if ($status === 401 && !$renewed) { // The token has expired, so get another one, once.
            [$token, $renewed, $wait] = [null, true, 0];
        } elseif (in_array($status, [401, 403], true)) { // Not for this file alone: the token, its scopes or the quota.
            throw new Unavailable($reason);
        } elseif ($status === 0) { // It may have been done, or not. A refusal of a large body can look like this, too.
            $token = null;
        } elseif (!in_array($status, TEMPORARY, true) && $code !== 'idempotency_key_in_use') {
            throw new Refused($reason);
        }
        if (preg_match('/^\d+$/', $received['retry-after'] ?? '')) { // A date is ignored.
            $wait = (float) $received['retry-after'];
        }
        if ($wait > 60) {
            break;
        }
        fwrite(STDERR, "again in $wait s: $reason\n");
        usleep((int) ($wait * 1_000_000));
    }
    throw new Unavailable($reason);
}

function upload(string $path): array
{
    $digest = is_file($path) ? @hash_file('sha256', $path) : false;
    if ($digest === false) {
        throw new Refused('the file cannot be read');
    }
    [, $body] = call('api/upload', [
        "X-Content-SHA256: $digest", // The service refuses bytes that were damaged on the way.
        "Idempotency-Key: $digest", // The same at every try, also of another run: one image for these bytes.
    ], ['file' => new CURLFile($path, null, basename($path))]);
    return json_decode($body, true);
}

/** Every record of the catalog, page by page. A page without the link `next` is the last. */
function listImages(): Generator
{
    for ($query = '?limit=100'; $query !== null; $query = $next[1] ?? null) {
        [$headers, $body] = call("api/images$query");
        yield from array_values(json_decode($body, true));
        preg_match('/<([^>]*)>; rel="next"/', $headers['link'] ?? '', $next);
    }
}

function savePreview(int $id, string $path): void
{
    file_put_contents($path, call("api/image/$id/file?width=320&format=webp")[1]);
}

/** Standard Webhooks: `$body` are the bytes as they came. */
function isGenuine(string $secret, string $id, string $timestamp, string $signatures, string $body): bool
{
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $equal = array_filter(explode(' ', $signatures), fn (string $signature) => hash_equals($expected, $signature));
    return $equal !== [] && abs(time() - (int) $timestamp) <= 300;
}

function main(array $files): int
{
    $status = 0;
    foreach ($files as $path) {
        try {
            $last = upload($path)['id'];
            echo "uploaded $last $path\n";
        } catch (Refused $error) { // Such as 422 for a file that is no picture. The others go on.
            $status = 1;
            fwrite(STDERR, "refused $path: {$error->getMessage()}\n");
        }
    }
    echo 'listed ', iterator_count(listImages()), "\n";
    if (isset($last)) {
        savePreview($last, 'preview.webp');
        echo "saved preview.webp\n";
    }
    return $status;
}

if (($argv[1] ?? '') === 'verify') {
    exit(isGenuine(getenv('WEBHOOK_SECRET'), $argv[2], $argv[3], $argv[4], stream_get_contents(STDIN)) ? 0 : 1);
}
try {
    exit(main(array_slice($argv, 1)));
} catch (Refused | Unavailable $error) {
    fwrite(STDERR, "stopped, run it again: {$error->getMessage()}\n");
    exit(75);
}
