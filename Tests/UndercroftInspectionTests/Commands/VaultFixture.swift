import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// A vault with secrets of a library, which a key file and a passphrase open.
struct VaultFixture {
  static let passphrase = VaultKey.passphrase("open sesame", logRounds: 4)

  let url: URL
  let key: URL
  /// The backend that created the vault, until the fixture releases it.
  private(set) var backend: VaultBackend?

  init(_ directory: URL, entryCount: Int = 2) throws {
    url = directory.appending(path: "vault")
    key = directory.appending(path: "vault.key")
    let backend = try VaultBackend(at: url, unlockedBy: .keyFile(key))
    try backend.apply(
      (0..<entryCount).map { .set("reader-\($0)", Data("horse battery \($0)".utf8)) })
    try backend.add(Self.passphrase)
    self.backend = backend
  }

  /// Returns a vault that this process has closed, and the bytes of its file.
  static func closed(in directory: URL) throws -> (fixture: VaultFixture, bytes: Data) {
    var fixture = try VaultFixture(directory)
    fixture.close()
    return (fixture, try Data(contentsOf: fixture.url))
  }

  /// Closes the vault in this process.
  mutating func close() { backend = nil }

  func run(_ command: String, _ arguments: String..., input: String = "") throws
    -> ProgramResult
  {
    try UndercroftInspectionTests.run(["vault", command, url.path] + arguments, input: input)
  }

  func rows(_ command: String, _ arguments: String...) throws -> [[String: Any]] {
    let answer = try UndercroftInspectionTests.run(
      ["vault", command, url.path] + arguments + ["--format", "json"])
    #expect(answer.errors.isEmpty)
    return try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [[String: Any]]
      ?? []
  }

  func opens(_ key: VaultKey) -> Bool {
    guard let opened = try? VaultBackend(at: url, unlockedBy: key, createsMissing: false) else {
      return false
    }
    return (try? opened.read("reader-0")) == Data("horse battery 0".utf8)
  }
}
