// Uploads files, lists the catalog and saves a preview of the last file; `verify` checks a webhook. Needs Go 1.19 alone.
//
//	go run catalog.go FILE...
//	go run catalog.go verify ID TIMESTAMP SIGNATURE < body    # with WEBHOOK_SECRET
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// errRefused: the same request would be refused again, others may succeed.
var errRefused = errors.New("refused")

// errUnavailable: nothing is lost, run the program again later.
var errUnavailable = errors.New("unavailable")

var client = &http.Client{Timeout: 150 * time.Second}
var next = regexp.MustCompile(`<([^>]*)>; rel="next"`)
var token string

// setting has the defaults of the demo.
func setting(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

func read(response *http.Response, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, body}, err
}

// send asks for a token first if there is none.
func send(method, path string, header http.Header, body []byte) (answer, error) {
	if token == "" {
		got, err := read(client.PostForm(setting("TOKEN_URL", "http://127.0.0.1:3001/oauth/token"), url.Values{
			"grant_type":    {"client_credentials"},
			"client_id":     {setting("CLIENT_ID", "demo")},
			"client_secret": {setting("CLIENT_SECRET", "demo-secret")},
			"audience":      {setting("AUDIENCE", "https://image-catalog.example/")},
		}))
		if err != nil || isTemporary(got.status) {
			return got, err
		}
		if got.status != http.StatusOK { // Not for this file alone: the client or its secret.
			return got, fmt.Errorf("%w: no token: %d %s", errUnavailable, got.status, got.body)
		}
		var fields struct {
			Token string `json:"access_token"`
		}
		if err := json.Unmarshal(got.body, &fields); err != nil {
			return answer{}, err
		}
		token = fields.Token
	}
	request, err := http.NewRequest(method, setting("CATALOG_URL", "http://127.0.0.1:3000/")+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("Authorization", "Bearer "+token)
	return read(client.Do(request))
}

// call repeats what is safe to repeat, which an upload with a key is.
func call(method, path string, header http.Header, body []byte) (answer, error) {
	renewed, reason := false, ""
	for attempt := 0; attempt < 6; attempt++ {
		got, err := send(method, path, header, body)
		if err == nil && got.status >= 200 && got.status < 300 {
			return got, nil
		}
		if errors.Is(err, errUnavailable) {
			return got, err
		}
		var failure struct{ Code string }
		_ = json.Unmarshal(got.body, &failure)
		reason = fmt.Sprintf("%d %s: %s", got.status, failure.Code, got.body)
		wait := 0.5 * float64(int(1)<<attempt)
		switch {
		case err != nil: // It may have been done, or not. A refusal of a large body can look like this: renew the token, too.
			reason, token = err.Error(), ""
		case got.status == 401 && !renewed: // The token has expired, so get another one, once.
			token, renewed, wait = "", true, 0
		case got.status == 401 || got.status == 403: // Not for this file alone: the token, its scopes or the quota.
			return got, fmt.Errorf("%w: %s", errUnavailable, reason)
		case !isTemporary(got.status) && failure.Code != "idempotency_key_in_use":
			return got, fmt.Errorf("%w: %s", errRefused, reason)
		}
		if seconds, err := strconv.ParseUint(got.header.Get("Retry-After"), 10, 32); err == nil { // A date is ignored.
			wait = float64(seconds)
		}
		if wait > 60 {
			break
		}
		fmt.Fprintf(os.Stderr, "again in %g s: %s\n", wait, reason)
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
	return answer{}, fmt.Errorf("%w: %s", errUnavailable, reason)
}

func isTemporary(status int) bool {
	return status == 408 || status == 429 || status >= 502 && status <= 504
}

func upload(path string) (id int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("%w: %s", errRefused, err)
	}
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, _ := writer.CreateFormFile("file", filepath.Base(path))
	_, _ = part.Write(data) // A buffer in memory takes everything.
	_ = writer.Close()
	header := http.Header{"Content-Type": {writer.FormDataContentType()}}
	header.Set("X-Content-SHA256", digest) // The service refuses bytes that were damaged on the way.
	header.Set("Idempotency-Key", digest)  // The same at every try, also of another run: one image for these bytes.
	got, err := call("POST", "api/upload", header, form.Bytes())
	if err != nil {
		return 0, err
	}
	var record struct{ ID int }
	err = json.Unmarshal(got.body, &record)
	return record.ID, err
}

// listImages visits every record, page by page. A page without the link "next" is the last.
func listImages(visit func(json.RawMessage)) error {
	for query := "?limit=100"; query != ""; {
		got, err := call("GET", "api/images"+query, nil, nil)
		if err != nil {
			return err
		}
		var records []json.RawMessage
		if err := json.Unmarshal(got.body, &records); err != nil {
			return err
		}
		for _, record := range records {
			visit(record)
		}
		query = ""
		if link := next.FindStringSubmatch(got.header.Get("Link")); link != nil {
			query = link[1]
		}
	}
	return nil
}

func savePreview(id int, path string) error {
	got, err := call("GET", fmt.Sprintf("api/image/%d/file?width=320&format=webp", id), nil, nil)
	if err != nil {
		return err
	}
	return os.WriteFile(path, got.body, 0o600)
}

// isGenuine checks a message of Standard Webhooks; body are the bytes as they came.
func isGenuine(secret, id, timestamp, signatures string, body []byte) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Since(time.Unix(seconds, 0)); err != nil || age > 5*time.Minute || age < -5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Split(signatures, " ") {
		if hmac.Equal(expected, []byte(signature)) {
			return true
		}
	}
	return false
}

func run(files []string) (refused bool, err error) {
	last := 0
	for _, path := range files {
		id, err := upload(path)
		if errors.Is(err, errRefused) { // Such as 422 for a file that is no picture. The others go on.
			refused = true
			fmt.Fprintf(os.Stderr, "refused %s: %s\n", path, strings.TrimPrefix(err.Error(), "refused: "))
			continue
		} else if err != nil {
			return refused, err
		}
		last = id
		fmt.Printf("uploaded %d %s\n", id, path)
	}
	count := 0
	if err := listImages(func(json.RawMessage) { count++ }); err != nil {
		return refused, err
	}
	fmt.Println("listed", count)
	if last == 0 {
		return refused, nil
	}
	if err := savePreview(last, "preview.webp"); err != nil {
		return refused, err
	}
	fmt.Println("saved preview.webp")
	return refused, nil
}

func main() {
	args := os.Args[1:]
	if len(args) == 4 && args[0] == "verify" {
		body, err := io.ReadAll(os.Stdin)
		if err != nil || !isGenuine(os.Getenv("WEBHOOK_SECRET"), args[1], args[2], args[3], body) {
			os.Exit(1)
		}
		return
	}
	refused, err := run(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, "stopped, run it again:", err)
		os.Exit(75)
	}
	if refused {
		os.Exit(1)
	}
}
