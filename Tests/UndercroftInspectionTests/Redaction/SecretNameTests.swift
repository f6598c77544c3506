import Testing
import UndercroftInspection

@Suite struct SecretNameTests {
  @Test(arguments: [
    "token", "Token", "TOKEN", "accessToken", "access_token", "access-token", "reader.token",
    "accesstoken", "refreshTokens", "idToken2", "csrf_token", "X-Auth-Token", "oauth2Token", "JWT",
    "secret", "clientSecret", "client.secret", "secrets", "secretary_secret", "password",
    "Password",
    "PassWord", "userPassword", "password_hash", "passwords", "passwd", "db_passwd", "db_pass",
    "pwd",
    "passphrase", "wifiPassphrase", "pass-phrase", "auth", "basicAuth", "authorization",
    "Proxy-Authorization", "OAuth", "cookie", "Set-Cookie", "sessionCookies", "session",
    "sessionId",
    "PHPSESSID", "apikey", "apiKey", "api_key", "API-KEY", "APIKey", "X-API-Key", "apiKeys",
    "credential", "credentials", "readerCreds", "private_key", "privateKey", "ssh.private.key",
    "secretKey", "accessKeyId", "signing-key", "encryptionKey", "bearer", "otp", "OTP", "totpSeed",
    "pin", "PIN", "cardPin", "pin_code", "recovery_codes", "recoveryPhrase", "2fa_code", "cvv",
    "passkey", "licenseKey", "passwords/ada", "reader/passwd", "passwd/ada", "tokens/desk.json",
    "secrets/backup.gz", "reader/license_key", "copyright/token", "changelog_token",
  ])
  func `the value of a secret name is redacted`(name: String) {
    #expect(Redactor().redacts(name: name, value: "42"))
    #expect(!Redactor().redacts(name: name, value: ""))
  }

  @Test(arguments: [
    "", "…", "42", "title", "author", "Author", "authors", "co_author", "authority",
    "authoritative",
    "authorised_by", "authenticity", "tokenizer", "tokenized", "tokenization", "token_count",
    "maxTokens", "prompt_tokens", "tokenType", "secretary", "secretariat", "secretion", "passage",
    "passenger", "compass", "bypass", "passwordless", "password_length", "hasPassword",
    "password_changed_at", "cookiecutter", "cookbook", "cookie_consent", "sessions_count",
    "session_count", "sessionStart", "possession", "obsession", "accession_number", "key",
    "primary_key",
    "sortKey", "foreign-key", "public_key", "keyboard", "monkey", "apiary", "api", "capital",
    "spinning", "spin", "pinned", "pinboard", "opinion", "shipping", "topping", "option", "hotpot",
    "credit", "accredited", "creditLimit", "bearing", "forbearance", "private", "privateNotes",
    "code",
    "isbn", "postcode", "oauth_provider", "auth_method", "authURL", "pinColor", "season_pass",
    "passwd/changelog.gz", "base-passwd/changelog.Debian.gz", "libsecret-1-0/copyright",
    "dbus-session-bus-common/README.md",
  ])
  func `the value of an ordinary name is not redacted`(name: String) {
    #expect(!Redactor().redacts(name: name, value: "42"))
  }
}
