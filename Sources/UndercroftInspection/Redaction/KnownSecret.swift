/// A format of secrets that begin with a prefix which their issuer chose.
struct KnownSecret {
  private enum Alphabet {
    case uppercase
    case alphanumeric
    case token
  }

  /// The number of bytes after a prefix that are examined.
  ///
  /// Prefixes can follow each other without being secrets, so the time would otherwise grow with
  /// the square of the size of the text.
  private static let maximumCount = 512

  private let prefix: StaticString
  private let minimumCount: Int
  private let alphabet: Alphabet
  /// Whether the rest contains a digit and an uppercase letter, unlike words after the prefix.
  private let isMixed: Bool

  private init(
    _ prefix: StaticString, _ minimumCount: Int, _ alphabet: Alphabet, isMixed: Bool = false
  ) {
    self.prefix = prefix
    self.minimumCount = minimumCount
    self.alphabet = alphabet
    self.isMixed = isMixed
  }

  /// Returns the end of the secret that begins at an offset, or `nil` if there is none.
  static func end(from offset: Int, in text: ASCIIText) -> Int? {
    for format in byFirstByte[Int(text.bytes[offset])] {
      if let end = format.end(from: offset, in: text) { return end }
    }
    return webTokenEnd(from: offset, in: text)
  }

  private func end(from offset: Int, in text: ASCIIText) -> Int? {
    guard text.has(prefix, at: offset) else { return nil }
    let start = offset + prefix.utf8CodeUnitCount
    let end = text.end(from: start, limit: Self.maximumCount) { byte in
      switch alphabet {
      case .uppercase: ASCIIClass.isUppercase(byte) || ASCIIClass.isDigit(byte)
      case .alphanumeric: ASCIIClass.isAlphanumeric(byte)
      case .token: Self.isTokenPart(byte)
      }
    }
    guard end - start >= minimumCount else { return nil }
    let rest = text.bytes[start..<end]
    guard
      !isMixed
        || rest.contains(where: ASCIIClass.isDigit) && rest.contains(where: ASCIIClass.isUppercase)
    else { return nil }
    return text.end(from: end, while: Self.isTokenPart)
  }

  private static func isTokenPart(_ byte: UInt8) -> Bool {
    ASCIIClass.isURLSafe(byte) || byte == UInt8(ascii: ".")
  }

  /// Returns the end of the JSON Web Token (RFC 7519) that begins at an offset, or `nil` if there
  /// is none: a base64url header, which begins with `{"`, and a payload, separated by dots.
  private static func webTokenEnd(from offset: Int, in text: ASCIIText) -> Int? {
    guard text.bytes[offset] == UInt8(ascii: "e"), text.has("eyJ", at: offset) else { return nil }
    let header = text.end(from: offset, limit: maximumCount, while: ASCIIClass.isURLSafe)
    guard header - offset >= 10, text.has(".", at: header) else { return nil }
    let payload = text.end(from: header + 1, limit: 10, while: ASCIIClass.isURLSafe)
    guard payload - header > 10 else { return nil }
    return text.end(from: payload, while: isTokenPart)
  }

  /// The formats by the first byte of their prefixes, because most words begin with no prefix.
  private static let byFirstByte = all.reduce(
    into: [[KnownSecret]](repeating: [], count: 256)
  ) { formats, format in
    formats[Int(format.prefix.utf8Start.pointee)].append(format)
  }

  private static let all = [
    // Amazon Web Services
    KnownSecret("AKIA", 16, .uppercase), KnownSecret("ASIA", 16, .uppercase),
    // GitHub and GitLab
    KnownSecret("ghp_", 36, .alphanumeric), KnownSecret("gho_", 36, .alphanumeric),
    KnownSecret("ghu_", 36, .alphanumeric), KnownSecret("ghs_", 36, .alphanumeric),
    KnownSecret("ghr_", 36, .alphanumeric), KnownSecret("github_pat_", 22, .token),
    KnownSecret("glpat-", 20, .token),
    // Slack
    KnownSecret("xoxa-", 10, .token), KnownSecret("xoxb-", 10, .token),
    KnownSecret("xoxe-", 10, .token), KnownSecret("xoxp-", 10, .token),
    KnownSecret("xoxr-", 10, .token), KnownSecret("xoxs-", 10, .token),
    KnownSecret("xapp-", 10, .token),
    // Google
    KnownSecret("AIza", 35, .token), KnownSecret("ya29.", 20, .token),
    KnownSecret("GOCSPX-", 20, .token), KnownSecret("1//0", 30, .token),
    // Stripe
    KnownSecret("sk_live_", 16, .alphanumeric), KnownSecret("sk_test_", 16, .alphanumeric),
    KnownSecret("rk_live_", 16, .alphanumeric), KnownSecret("whsec_", 20, .alphanumeric),
    // OpenAI, Anthropic, Hugging Face
    KnownSecret("sk-", 20, .token, isMixed: true), KnownSecret("hf_", 30, .alphanumeric),
    // npm, PyPI, SendGrid, Shopify, DigitalOcean, age
    KnownSecret("npm_", 36, .alphanumeric), KnownSecret("pypi-", 50, .token),
    KnownSecret("SG.", 40, .token), KnownSecret("shpat_", 32, .alphanumeric),
    KnownSecret("dop_v1_", 64, .alphanumeric), KnownSecret("AGE-SECRET-KEY-1", 50, .uppercase),
  ]
}
