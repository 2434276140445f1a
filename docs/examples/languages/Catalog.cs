// Uploads files, lists the catalog and saves a preview of the last file; `verify` checks a webhook. For .NET 10; not run in CI.
//
//     dotnet run Catalog.cs FILE...
//     dotnet run Catalog.cs verify ID TIMESTAMP SIGNATURE < body    # with WEBHOOK_SECRET
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

if (args is ["verify", var id, var timestamp, var signatures])
{
    using var body = new MemoryStream();
    await Console.OpenStandardInput().CopyToAsync(body);
    return Catalog.IsGenuine(Environment.GetEnvironmentVariable("WEBHOOK_SECRET")!, id, timestamp, signatures, body.ToArray()) ? 0 : 1;
}
try
{
    return await RunAsync(args);
}
catch (Exception error) when (error is Refused or Unavailable)
{
    Console.Error.WriteLine($"stopped, run it again: {error.Message}");
    return 75;
}

static async Task<int> RunAsync(string[] files)
{
    var (catalog, status, last) = (new Catalog(), 0, 0);
    foreach (var path in files)
    {
        try
        {
            last = await catalog.UploadAsync(path);
            Console.WriteLine($"uploaded {last} {path}");
        }
        catch (Refused error) // Such as 422 for a file that is no picture. The others go on.
        {
            status = 1;
            Console.Error.WriteLine($"refused {path}: {error.Message}");
        }
    }
    var count = 0;
    await foreach (var _ in catalog.ListAsync()) count++;
    Console.WriteLine($"listed {count}");
    if (last == 0) return status;
    await catalog.SavePreviewAsync(last, "preview.webp");
    Console.WriteLine("saved preview.webp");
    return status;
}

/// <summary>The same request would be refused again, others may succeed.</summary>
class Refused(string reason) : Exception(reason);

/// <summary>Nothing is lost: run the program again later.</summary>
class Unavailable(string reason) : Exception(reason);

class Catalog
{
    static readonly int[] Temporary = [408, 429, 502, 503, 504];
    readonly HttpClient client = new() { Timeout = TimeSpan.FromSeconds(150) };
    string? token;

    /// <summary>The default is that of the demo.</summary>
    static string Setting(string name, string fallback) => Environment.GetEnvironmentVariable(name) ?? fallback;

    Task<HttpResponseMessage> RequestTokenAsync() =>
        client.PostAsync(Setting("TOKEN_URL", "http://127.0.0.1:3001/oauth/token"), new FormUrlEncodedContent(new Dictionary<string, string>
        {
            ["grant_type"] = "client_credentials",
            ["client_id"] = Setting("CLIENT_ID", "demo"),
            ["client_secret"] = Setting("CLIENT_SECRET", "demo-secret"),
            ["audience"] = Setting("AUDIENCE", "https://image-catalog.example/"),
        }));

    /// <summary>Asks for a token first if there is none.</summary>
    async Task<HttpResponseMessage> SendAsync(Func<HttpRequestMessage> makeRequest)
    {
        if (token is null)
        {
            var response = await RequestTokenAsync();
            if (Temporary.Contains((int)response.StatusCode)) return response;
            var text = await response.Content.ReadAsStringAsync();
            if (!response.IsSuccessStatusCode) // Not for this file alone: the client or its secret.
                throw new Unavailable($"no token: {(int)response.StatusCode} {text}");
            using var json = JsonDocument.Parse(text);
            token = json.RootElement.GetProperty("access_token").GetString();
        }
        var request = makeRequest(); // A request cannot be sent twice.
        request.Headers.Authorization = new("Bearer", token);
        return await client.SendAsync(request);
    }

    /// <summary>Repeats what is safe to repeat, which an upload with a key is.</summary>
    async Task<HttpResponseMessage> CallAsync(Func<HttpRequestMessage> makeRequest)
    {
        var (renewed, reason) = (false, "");
        for (var attempt = 0; attempt < 6; attempt++)
        {
            var wait = TimeSpan.FromSeconds(0.5 * Math.Pow(2, attempt));
            try
            {
                var response = await SendAsync(makeRequest);
                if (response.IsSuccessStatusCode) return response;
                var text = await response.Content.ReadAsStringAsync();
                var code = Regex.Match(text, "\"code\":\"(\\w+)\"") is { Success: true } match ? match.Groups[1].Value : "unexpected_response";
                reason = $"{(int)response.StatusCode} {code}: {text}";
                if (response.StatusCode == HttpStatusCode.Unauthorized && !renewed) // The token has expired, so get another one, once.
                    (token, renewed, wait) = (null, true, TimeSpan.Zero);
                else if (response.StatusCode is HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden) // Not for this file alone.
                    throw new Unavailable(reason);
                else if (!Temporary.Contains((int)response.StatusCode) && code != "idempotency_key_in_use")
                    throw new Refused(reason);
                wait = response.Headers.RetryAfter?.Delta ?? wait; // A date is ignored.
            }
            catch (Exception error) when (error is HttpRequestException or TaskCanceledException or IOException)
            {
                // It may have been done, or not. A refusal of a large body can look like this: renew the token, too.
                (reason, token) = (error.Message, null);
            }
            if (wait > TimeSpan.FromMinutes(1)) break;
            Console.Error.WriteLine($"again in {wait.TotalSeconds} s: {reason}");
            await Task.Delay(wait);
        }
        throw new Unavailable(reason);
    }

    static Uri At(string path) => new(new Uri(Setting("CATALOG_URL", "http://127.0.0.1:3000/")), path);

    static async Task<byte[]> ReadAsync(string path)
    {
        try
        {
            return await File.ReadAllBytesAsync(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new Refused(error.Message);
        }
    }

    public async Task<int> UploadAsync(string path)
    {
        var data = await ReadAsync(path);
        var digest = Convert.ToHexStringLower(SHA256.HashData(data));
        var response = await CallAsync(() =>
        {
            var form = new MultipartFormDataContent { { new ByteArrayContent(data), "file", Path.GetFileName(path) } };
            var request = new HttpRequestMessage(HttpMethod.Post, At("api/upload")) { Content = form };
            request.Headers.Add("X-Content-SHA256", digest); // The service refuses bytes that were damaged on the way.
            request.Headers.Add("Idempotency-Key", digest); // The same at every try, also of another run: one image for these bytes.
            return request;
        });
        using var json = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        return json.RootElement.GetProperty("id").GetInt32();
    }

    /// <summary>Every record, page by page. A page without the link `next` is the last.</summary>
    public async IAsyncEnumerable<JsonElement> ListAsync()
    {
        for (string? query = "?limit=100"; query is not null;)
        {
            var page = At("api/images" + query);
            var response = await CallAsync(() => new HttpRequestMessage(HttpMethod.Get, page));
            using var json = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
            foreach (var record in json.RootElement.EnumerateArray()) yield return record.Clone();
            var link = response.Headers.TryGetValues("Link", out var links) ? string.Join(",", links) : "";
            query = Regex.Match(link, "<([^>]*)>; rel=\"next\"") is { Success: true } next ? next.Groups[1].Value : null;
        }
    }

    public async Task SavePreviewAsync(int id, string path)
    {
        var response = await CallAsync(() => new HttpRequestMessage(HttpMethod.Get, At($"api/image/{id}/file?width=320&format=webp")));
        await File.WriteAllBytesAsync(path, await response.Content.ReadAsByteArrayAsync());
    }

    /// <summary>Standard Webhooks: `body` are the bytes as they came.</summary>
    public static bool IsGenuine(string secret, string id, string timestamp, string signatures, byte[] body)
    {
        var key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret[6..] : secret);
        byte[] signed = [.. Encoding.UTF8.GetBytes($"{id}.{timestamp}."), .. body];
        var digest = HMACSHA256.HashData(key, signed);
        var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(digest));
        var equal = signatures.Split(' ').Any(each => CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(each)));
        return equal && Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp)) <= 300;
    }
}
