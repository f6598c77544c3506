import FixtureLibrary
import Foundation
import Testing

/// Tests of the sets of fixtures in `Tests/FormatFixtures`.
@Suite struct FixtureSetTests {
  private static let first = [
    "encrypted-files", "files", "files-unfinished", "gdbm", "gdbm-alone", "gdbm-closed", "home",
    "migration-adopted", "migration-afresh", "migration-created", "migration-steps",
    "migration-unfinished", "property-lists", "settings", "settings-torn", "single-file", "sqlite",
    "sqlite-log", "tables", "vault-key-file", "vault-passphrase", "vault-torn",
  ]

  @Test func `the first fixture set contains the 22 expected stores and no other store`() throws {
    #expect(try Fixture.names(in: "16ed6d1") == Self.first)
  }

  @Test func `every store of every fixture set has a test`() throws {
    let sources = try FileManager.default.contentsOfDirectory(
      at: URL(filePath: #filePath).deletingLastPathComponent(), includingPropertiesForKeys: nil)
    let tests = try sources.filter { $0.lastPathComponent.hasSuffix("FixtureTests.swift") }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()

    for set in try Fixture.sets() {
      for name in try Fixture.names(in: set) {
        #expect(tests.contains("Fixture.all(\"\(name)\")"), "\(set)/\(name)")
      }
    }
  }

  @Test func `the fixture sets together are smaller than 8 MiB`() throws {
    var size = 0
    for case let path as String in FileManager.default.enumerator(atPath: Fixture.folder.path)
      ?? .init()
    {
      let url = Fixture.folder.appending(path: path)
      size += try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    }

    #expect(size < 8 << 20)
  }
}
