# Varnish (6.2 or later, with varnish-modules) in front of the web listeners of three processes of the image catalog: a cache
# for the pictures of signed links and public names, from which the receiver in docs/examples/purge removes what has changed. Set
# CACHE_TAG_HEADER=xkey in all processes. Your settings are marked SET. The tests run this file, with other addresses.
#
#   varnishd -a :80 -a purge=127.0.0.1:8081 -f /etc/varnish/varnish.vcl -s malloc,1g
#
# Purges are accepted by the listener called `purge` alone: bind it to an address that clients cannot reach. An access list
# would not be enough behind a proxy for TLS, whose address all clients have.
#
# No other cache may be between Varnish and the service: after a purge it would fill Varnish with what is outdated.
vcl 4.1;

import directors;
import std;
import xkey;

# A process that stops, or has not started yet, gets no requests.
probe web_listener {
  .url = "/config.json";
  .interval = 5s;
  .timeout = 2s;
  .window = 3;
  .threshold = 2;
  .initial = 2;
}

# SET: the web listeners. first_byte_timeout is above REQUEST_TIMEOUT_SECONDS.
backend catalog_1 {
  .host = "catalog-1";
  .port = "3002";
  .probe = web_listener;
  .connect_timeout = 2s;
  .first_byte_timeout = 130s;
}
backend catalog_2 {
  .host = "catalog-2";
  .port = "3002";
  .probe = web_listener;
  .connect_timeout = 2s;
  .first_byte_timeout = 130s;
}
backend catalog_3 {
  .host = "catalog-3";
  .port = "3002";
  .probe = web_listener;
  .connect_timeout = 2s;
  .first_byte_timeout = 130s;
}

sub vcl_init {
  new web = directors.round_robin();
  web.add_backend(catalog_1);
  web.add_backend(catalog_2);
  web.add_backend(catalog_3);
}

sub vcl_recv {
  if (local.socket == "purge") {
    call purge_tags;
  }
  set req.backend_hint = web.backend();
  # The id in the cache is that of the first client.
  if (req.http.X-Request-Id !~ "^[A-Za-z0-9._-]{1,128}$") {
    set req.http.X-Request-Id = req.xid;
  }
  # Of all that the web listener serves, only these are cached. No link has a query. A public name has a width and a format; one order
  # and no other spelling, so that nobody fills the cache with many copies of one picture.
  if (req.method !~ "^(GET|HEAD)$" || req.url !~ "^/([dn]/[^?]*|p/[^?]*(\?(width=[0-9]+|format=[a-z]+)(&(width=[0-9]+|format=[a-z]+))?)?)$") {
    return (pass);
  }
  set req.url = std.querysort(req.url);
  call reduce_accept;
  # The response does not depend on them.
  unset req.http.Cookie;
  unset req.http.Authorization;
  return (hash);
}

# Only the format `auto` depends on Accept, and only on whether it names AVIF and WebP: at most four responses for each width.
sub reduce_accept {
  if (req.url !~ "[?&]format=auto(&|$)") {
    unset req.http.Accept;
    return;
  }
  set req.http.X-Formats = "";
  if (req.http.Accept ~ "(?i)image/avif(?!\s*;\s*q=0(\.0*)?\s*(,|$))") {
    set req.http.X-Formats = "image/avif,";
  }
  if (req.http.Accept ~ "(?i)image/webp(?!\s*;\s*q=0(\.0*)?\s*(,|$))") {
    set req.http.X-Formats = req.http.X-Formats + "image/webp,";
  }
  set req.http.Accept = req.http.X-Formats + "*/*";
  unset req.http.X-Formats;
}

# `PURGE /` with the tags in the header xkey, or without it for everything.
sub purge_tags {
  if (req.method != "PURGE") {
    return (synth(405));
  }
  if (req.http.xkey) {
    # Not softpurge: it would show the outdated picture once more.
    set req.http.X-Purged = xkey.purge(req.http.xkey);
    return (synth(200, "Purged " + req.http.X-Purged));
  }
  ban("obj.status != 0");
  return (synth(200, "Purged all"));
}

# Without the host: a link is the same under every name of the host.
sub vcl_hash {
  hash_data(req.url);
  return (lookup);
}

sub vcl_backend_response {
  # Nothing is shown beyond its time: a link is over then.
  set beresp.grace = 0s;
  set beresp.keep = 0s;
  if (beresp.status != 200 && beresp.status != 304) {
    # Clients that wait for the same error need not wait for each other.
    set beresp.uncacheable = true;
    set beresp.ttl = 1s;
    return (deliver);
  }
  # What a name shows is cached here until it is purged or its link is over, a public name for a day, and in browsers for a minute
  # (RFC 9213).
  if (beresp.http.CDN-Cache-Control ~ "max-age=[0-9]+") {
    set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*max-age=([0-9]+).*$", "\1s"), 0s);
  }
}

sub vcl_deliver {
  set resp.http.X-Request-Id = req.http.X-Request-Id;
  unset resp.http.xkey;
  unset resp.http.CDN-Cache-Control;
  unset resp.http.X-Varnish;
  unset resp.http.Via;
}

# Errors of Varnish itself, in the format of the service.
sub vcl_backend_error {
  set beresp.http.Content-Type = "application/json; charset=utf-8";
  set beresp.http.Cache-Control = "no-store";
  set beresp.http.Retry-After = "5";
  set beresp.http.Access-Control-Allow-Origin = "*";
  set beresp.status = 502;
  set beresp.body = {"{"code":"bad_gateway","message":"The service cannot be reached at the moment""} + "}";
  return (deliver);
}
