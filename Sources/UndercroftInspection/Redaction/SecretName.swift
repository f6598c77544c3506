import UndercroftCore

/// The decision of whether a name of a key or column announces a secret value.
enum SecretName {
  /// Returns whether the values of a key or column with this name are secret.
  ///
  /// A value that documents a package is secret only if its own name announces a secret, because a
  /// package can have any name, such as in `passwd/changelog.gz`.
  static func isSecret(_ name: String) -> Bool {
    let name = NameWords(documentName(in: name) ?? name)
    guard let first = name.words.first, let last = name.words.last,
      !quantifiers.contains(first), !descriptors.contains(last), !isTokenCount(name)
    else { return false }
    return name.words.contains { word in
      words.contains(word) || suffixes.contains { word.text.hasSuffix($0) }
    } || name.pairs.contains { pairs.contains($0) }
  }

  /// Returns the last part of a path if the value is a document, such as a list of changes.
  private static func documentName(in path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let name = String(decoding: path.utf8[slash...].dropFirst(), as: UTF8.self)
    return NameWords(name).words.first.map { documents.contains($0) } ?? false ? name : nil
  }

  /// Returns whether text that looks random is expected under this name and is not secret, such as
  /// a checksum or an identifier.
  static func isDigestOrIdentifier(_ name: String) -> Bool {
    let name = NameWords(name)
    return name.words.contains { digests.contains($0) }
      || name.words.last.map { identifiers.contains($0) } ?? false
      || name.pairs.contains { digestPairs.contains($0) }
  }

  private static let words: Set<ExactString> = [
    "tokens", "secrets", "passwords", "pwd", "pw", "passphrases", "passcode", "passcodes",
    "passkey", "passkeys", "auth", "oauth", "authorization", "authorisation", "authentication",
    "cookies", "session", "apikeys", "cred", "creds", "bearer", "otp", "totp", "hotp", "pin",
    "jwt", "psk", "csrf", "xsrf", "cvv", "cvc",
  ]

  /// The ends of words, because names such as "accesstoken" are common.
  private static let suffixes = [
    "token", "secret", "password", "passwd", "passphrase", "apikey", "privatekey", "secretkey",
    "accesskey", "cookie", "credential", "credentials", "sessionid", "sessid",
  ]

  private static let pairs: Set<ExactString> = [
    "api key", "api keys", "private key", "private keys", "access key", "access keys",
    "encryption key", "decryption key", "signing key", "master key", "ssh key", "gpg key",
    "pgp key", "aes key", "hmac key", "shared key", "symmetric key", "wrapping key",
    "recovery key", "license key", "licence key", "subscription key", "pass word", "pass phrase",
    "pass code", "pass key", "seed phrase", "recovery phrase", "backup phrase", "recovery code",
    "recovery codes", "backup code", "backup codes", "verification code", "security code",
    "access code", "fa code", "mfa code", "db pass", "database pass", "user pass", "smtp pass",
    "ftp pass", "http pass", "proxy pass", "admin pass", "root pass", "mail pass", "email pass",
    "imap pass", "login pass", "redis pass", "mysql pass", "postgres pass", "pg pass", "ldap pass",
  ]

  /// The first words of the names of files that document a package.
  private static let documents: Set<ExactString> = [
    "changelog", "changes", "copyright", "licence", "license", "readme",
  ]

  /// Last words that announce a fact about a secret instead of the secret.
  private static let descriptors: Set<ExactString> = [
    "count", "counts", "length", "size", "limit", "type", "kind", "expiry", "expires", "expiration",
    "expired", "ttl", "lifetime", "duration", "timeout", "at", "on", "date", "time", "start",
    "started", "end", "ended", "enabled", "required", "policy", "version", "algorithm", "url",
    "uri", "endpoint", "path", "status", "state", "strength", "provider", "method", "scheme",
    "mode", "name", "title", "label", "consent", "banner", "color", "colour", "used", "issuer",
  ]

  /// First words that announce a number or a condition.
  private static let quantifiers: Set<ExactString> = [
    "has", "is", "requires", "require", "needs", "allow", "allows", "enable", "disable", "max",
    "min", "maximum", "minimum", "total", "num", "number", "count",
  ]

  private static let digests: Set<ExactString> = [
    "sha", "md", "crc", "blake", "checksum", "checksums", "hash", "hashes", "digest", "digests",
    "etag", "commit", "revision", "rev", "fingerprint", "integrity", "uuid", "guid", "ulid", "oid",
  ]

  private static let digestPairs: Set<ExactString> = ["e tag", "public key"]

  private static let identifiers: Set<ExactString> = ["id", "ids", "identifier", "identifiers"]

  /// Returns whether a name announces a number of tokens of a language model.
  private static func isTokenCount(_ name: NameWords) -> Bool {
    let counts: [ExactString] = [
      "input tokens", "output tokens", "prompt tokens", "completion tokens",
    ]
    return name.pairs.contains { counts.contains($0) }
  }
}
