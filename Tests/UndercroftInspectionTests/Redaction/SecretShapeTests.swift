import Foundation
import Testing
import UndercroftInspection

@Suite struct SecretShapeTests {
  private static let body = "x7Kq2mP9vR4tW8zB3nL6cD1fG5hJ0sYa"

  /// Secrets are assembled from parts, so that scanners for leaked secrets ignore this file.
  private static let secrets: [String] = [
    // Tokens of known issuers
    "eyJ" + "hbGciOiJIUzI1NiJ9" + "." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".c2lnbmF0dXJl",
    "AKIA" + "IOSFODNN7EXAMPLE", "ghp_" + body + "aaaa", "github_pat_" + body, "glpat-" + body,
    "xoxb-" + "123456789012-abc", "AIza" + body + "abc", "ya29." + body, "sk_live_" + body,
    "sk-" + "proj-" + body, "npm_" + body + "abcd", "the key is ghp_" + body + "aaaa!",
    // Private keys
    "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl", "-----BEGIN RSA PRIVATE KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----\n-----BEGIN EC PRIVATE KEY-----",
    // Credentials
    "Bearer abc123-def", "Authorization: bearer 0123456789", "Basic YWRhOmR1bmU=",
    "https://ada:dune@library.example/books", "postgres://ada:p%40ss@db:5432/loans",
    // Names with values
    "https://library.example/?book=1&access_token=dune", "Password=dune;Server=db",
    "{\"password\":\"dune", "{\\\"password\\\": \\\"dune\\\"}", "api_key: dune",
    "a\n  - secret: dune", "{password:dune}", "{shelf:3,password:dune}", "password:\"dune\"",
    "password=dune:amd64", "password=.dune", "password=1.2a", "db-passwd: amd64", "x-api-token=3a7",
    "<key>password</key><string>dune</string>", "<password>dune</password>",
    "otpauth://totp/Library:ada?secret=JBSWY3DPEHPK3PXP",
    // Text that looks random
    body, "wJ7lrXUtnF3MI/K7MDENG/bPxRfiCY" + "z8Lq2KpT4m",
    "q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng=",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "d41d8cd98f00b204e9800998ecf8427e", "the key is \(body).",
    "NB2HI4DTHIXS6ZLYMFWXA3DFFZRW63JP" + "ONSWG4TFOQ7W2",
  ]

  @Test(arguments: secrets)
  func `a value that has the form of a secret is redacted`(value: String) {
    #expect(Redactor().redacts(name: "note", value: value))
    #expect(Redactor().redacts(name: nil, value: Data(value.utf8)))
  }

  private static let ordinary: [String] = [
    "", "Dune", "the left hand of darkness, which Ada borrowed twice", "978-0-441-17271-9",
    "internationalization and uncharacteristically", "donaudampfschifffahrtsgesellschaft",
    "getUserProfileV2Response1", "chapter12section4page123",
    "com.library.catalogue.LoanRecordViewController2",
    "the-left-hand-of-darkness-1969-edition", "loan_2026_11_27_reader_00042_copy_3",
    "550e8400-e29b-41d4-a716-446655440000", "loan_550E8400-E29B-41D4-A716-446655440000",
    "550e8400-e29b-41d4-a716-446655440000/550e8400-e29b-41d4-a716-446655440001",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV", "507f1f77bcf86cd799439011", "20261127T103000Z",
    "2026-11-27T10:30:00.123456Z", "00000000000000000000000000000000", "+44 20 7946 0000 1234 5678",
    "12345678901234567890123456789012345678901234567890", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1",
    "/Users/ada/Library/Application Support/Shelf/Catalogue2/books.sqlite3",
    "Sources/Shelf/ShelfCatalogue/Packages/Package2Reader.swift",
    "C:\\Users\\ada\\Dune2\\cover.png",
    "blobs/9f/86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png",
    "https://library.example/books/9780441172719/reviews?sort=newest&page=2",
    "ada.lovelace1815@library.example", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB5pb3Vx7Kq2mP9vR4tW8zB3nL6cD1fG5hJ0 ada",
    "-----BEGIN CERTIFICATE-----\nMIIBx7Kq2mP9vR4tW8zB3nL6\n-----END CERTIFICATE-----",
    "data:image/png;base64,x7Kq2mP9vR4tW8zB3nL6cD1fG5hJ0sYa",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf",
    String(repeating: "x7Kq2mP9vR4tW8zB", count: 40), "bearer of bad news about 1984",
    "Bearer instruments and bonds", "basic knowledge of programming",
    "sk-learn-based-recommendations",
    "base-passwd:amd64", "apt:amd64", "passwd:amd64", "dbus-session-bus-common:all",
    "libsecret-1-0:amd64", "base-passwd=3.6.1", "libpam-pwquality=1.4.4-1", "loan/token:7",
    "dbus-session-bus=1.14.10-1~deb12u1", "base-passwd: 3.6.1",
    "Author: Frank Herbert", "a reading session: Thursday", "password=", "\"token\": null",
    "a == token",
    "https://library.example:8080/@ada", "tokens://shelf", "<key>author</key><string>Ada</string>",
    "砂の惑星を読みました二〇二六年十一月二十七日", "1-2-3-4-5-6-7-8-9-10-11-12-13", "6.3.1-RELEASE-ubuntu24.04",
    "The order is ORD-2026-000123-LIB-COPY.",
  ]

  @Test(arguments: ordinary)
  func `an ordinary value is not redacted`(value: String) {
    #expect(!Redactor().redacts(name: "note", value: value))
    #expect(!Redactor().redacts(name: nil, value: Data(value.utf8)))
  }

  @Test(arguments: [
    "sha256", "SHA1Sum", "checksum", "contentHash", "etag", "ETag", "commit", "digest", "loanID",
    "uuid",
    "publicKey",
  ])
  func `a digest or an identifier is not redacted, but a token of a known issuer is`(name: String) {
    let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

    #expect(!Redactor().redacts(name: name, value: digest))
    #expect(Redactor().redacts(name: name, value: "ghp_" + Self.body + "aaaa"))
    #expect(Redactor().redacts(name: "password_\(name)_token", value: digest))
  }

  @Test func `most random keys in common encodings are recognised`() {
    var missed = (base64: 0, hexadecimal: 0, letters: 0)
    var generator = SystemRandomNumberGenerator()
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    for _ in 0..<500 {
      let bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      let hexadecimal = bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
      let word = String((0..<24).map { _ in letters[Int.random(in: 0..<62, using: &generator)] })
      if !Redactor().redacts(name: nil, value: Data(bytes).base64EncodedString()) {
        missed.base64 += 1
      }
      if !Redactor().redacts(name: nil, value: hexadecimal) { missed.hexadecimal += 1 }
      if !Redactor().redacts(name: nil, value: word) { missed.letters += 1 }
    }

    #expect(missed.base64 <= 40)
    #expect(missed.hexadecimal <= 5)
    #expect(missed.letters <= 50)
  }

  @Test(arguments: [
    "sk-", "eyJ-", "://", "bearer ", "<key>", "token=", "-----BEGIN ", "a:", "={\"", "a/1B",
  ])
  func `a long text of repeated patterns is examined in linear time`(pattern: String) {
    let text = String(repeating: pattern, count: 200_000 / pattern.utf8.count) + " password=dune"

    let start = ContinuousClock.now
    let isRedacted = Redactor().redacts(name: nil, value: text)

    #expect(isRedacted)
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
