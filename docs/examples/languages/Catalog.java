// Uploads files, lists the catalog and saves a preview of the last file; `verify` checks a webhook. Needs Java 17 alone.
//
//     java Catalog.java FILE...
//     java Catalog.java verify ID TIMESTAMP SIGNATURE < body    # with WEBHOOK_SECRET

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

public class Catalog {
    /** The same request would be refused again, others may succeed. */
    static class Refused extends Exception {
        Refused(String reason) { super(reason); }
    }

    /** Nothing is lost: run the program again later. */
    static class Unavailable extends Exception {
        Unavailable(String reason) { super(reason); }
    }

    static final HttpClient CLIENT =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();
    static final List<Integer> TEMPORARY = List.of(408, 429, 502, 503, 504);
    static String token;

    /** The default is that of the demo. */
    static String setting(String name, String fallback) {
        return System.getenv().getOrDefault(name, fallback);
    }

    /** Java has no JSON: take a library for more than a field. */
    static String field(String name, String json) {
        Matcher found = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(json);
        return found.find() ? found.group(1) : "unexpected_response";
    }

    static HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return CLIENT.send(request.timeout(Duration.ofSeconds(150)).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    static HttpResponse<byte[]> requestToken() throws IOException, InterruptedException {
        String form = Map.of(
            "grant_type", "client_credentials",
            "client_id", setting("CLIENT_ID", "demo"),
            "client_secret", setting("CLIENT_SECRET", "demo-secret"),
            "audience", setting("AUDIENCE", "https://image-catalog.example/")
        ).entrySet().stream().map(e -> e.getKey() + "=" + URLEncoder.encode(e.getValue(), UTF_8)).collect(Collectors.joining("&"));
        return send(HttpRequest.newBuilder(URI.create(setting("TOKEN_URL", "http://127.0.0.1:3001/oauth/token")))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form)));
    }

    /** Asks for a token first if there is none. */
    static HttpResponse<byte[]> sendWithToken(String path, byte[] body, String... headers) throws Unavailable, IOException, InterruptedException {
        if (token == null) {
            HttpResponse<byte[]> response = requestToken();
            int status = response.statusCode();
            String text = new String(response.body(), UTF_8);
            if (TEMPORARY.contains(status)) return response;
            if (status != 200) throw new Unavailable("no token: " + status + " " + text); // Not for this file alone: the client or its secret.
            token = field("access_token", text);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(setting("CATALOG_URL", "http://127.0.0.1:3000/") + path));
        if (headers.length > 0) request.headers(headers);
        if (body != null) request.POST(HttpRequest.BodyPublishers.ofByteArray(body));
        return send(request.setHeader("Authorization", "Bearer " + token));
    }

    /** Repeats what is safe to repeat, which an upload with a key is. */
    static HttpResponse<byte[]> call(String path, byte[] body, String... headers) throws Refused, Unavailable, InterruptedException {
        boolean renewed = false;
        String reason = "";
        for (int attempt = 0; attempt < 6; attempt++) {
            double wait = 0.5 * (1 << attempt);
            try {
                HttpResponse<byte[]> response = sendWithToken(path, body, headers);
                int status = response.statusCode();
                if (status >= 200 && status < 300) return response;
                String text = new String(response.body(), UTF_8);
                String code = field("code", text);
                reason = status + " " + code + ": " + text;
                if (status == 401 && !renewed) { // The token has expired, so get another one, once.
                    token = null;
                    renewed = true;
                    wait = 0;
                } else if (status == 401 || status == 403) { // Not for this file alone: the token, its scopes or the quota.
                    throw new Unavailable(reason);
                } else if (!TEMPORARY.contains(status) && !code.equals("idempotency_key_in_use")) {
                    throw new Refused(reason);
                }
                wait = response.headers().firstValue("Retry-After").filter(after -> after.matches("\\d+")).map(Double::parseDouble).orElse(wait); // A date is ignored.
            } catch (IOException error) { // It may have been done, or not. A refusal of a large body can look like this:
                reason = error.toString();
                token = null; // renew the token, too.
            }
            if (wait > 60) break;
            System.err.println("again in " + wait + " s: " + reason);
            Thread.sleep((long) (wait * 1000));
        }
        throw new Unavailable(reason);
    }

    static byte[] read(Path path) throws Refused {
        try {
            return Files.readAllBytes(path);
        } catch (IOException error) {
            throw new Refused(error.toString());
        }
    }

    static int upload(Path path) throws GeneralSecurityException, Refused, Unavailable, InterruptedException {
        byte[] data = read(path);
        String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
        String boundary = digest.substring(0, 32);
        String name = path.getFileName().toString().replace("\"", "%22");
        ByteArrayOutputStream form = new ByteArrayOutputStream();
        form.writeBytes(("--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"\r\n\r\n").getBytes(UTF_8));
        form.writeBytes(data);
        form.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes(UTF_8));
        HttpResponse<byte[]> response = call("api/upload", form.toByteArray(),
            "Content-Type", "multipart/form-data; boundary=" + boundary,
            "X-Content-SHA256", digest, // The service refuses bytes that were damaged on the way.
            "Idempotency-Key", digest); // The same at every try, also of another run: one image for these bytes.
        return Integer.parseInt(field("id", new String(response.body(), UTF_8)));
    }

    /** The ids of the catalog, page by page. A page without the link `next` is the last. */
    static List<String> listImages() throws Refused, Unavailable, InterruptedException {
        List<String> ids = new ArrayList<>();
        for (String query = "?limit=100"; query != null; ) {
            HttpResponse<byte[]> page = call("api/images" + query, null);
            Matcher id = Pattern.compile("\\{\"id\":(\\d+)").matcher(new String(page.body(), UTF_8));
            while (id.find()) ids.add(id.group(1));
            Matcher next = Pattern.compile("<([^>]*)>; rel=\"next\"").matcher(page.headers().firstValue("Link").orElse(""));
            query = next.find() ? next.group(1) : null;
        }
        return ids;
    }

    static void savePreview(int id, Path path) throws IOException, Refused, Unavailable, InterruptedException {
        Files.write(path, call("api/image/" + id + "/file?width=320&format=webp", null).body());
    }

    /** Standard Webhooks: `body` are the bytes as they came. */
    static boolean isGenuine(String secret, String id, String timestamp, String signatures, byte[] body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
        boolean equal = false;
        for (String signature : signatures.split(" ")) equal |= MessageDigest.isEqual(expected, signature.getBytes(UTF_8));
        return equal && Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) <= 300;
    }

    static int run(String[] files) throws Exception {
        int status = 0;
        int last = 0;
        for (String path : files) {
            try {
                last = upload(Path.of(path));
                System.out.println("uploaded " + last + " " + path);
            } catch (Refused error) { // Such as 422 for a file that is no picture. The others go on.
                status = 1;
                System.err.println("refused " + path + ": " + error.getMessage());
            }
        }
        System.out.println("listed " + listImages().size());
        if (last != 0) {
            savePreview(last, Path.of("preview.webp"));
            System.out.println("saved preview.webp");
        }
        return status;
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 4 && args[0].equals("verify")) {
            byte[] body = System.in.readAllBytes();
            System.exit(isGenuine(System.getenv("WEBHOOK_SECRET"), args[1], args[2], args[3], body) ? 0 : 1);
        }
        try {
            System.exit(run(args));
        } catch (Refused | Unavailable error) {
            System.err.println("stopped, run it again: " + error.getMessage());
            System.exit(75);
        }
    }
}
