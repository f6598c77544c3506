import Foundation
import TestSupport
import Testing

@Suite struct CheckCommandTests {
  @Test func `check calls a database that cannot be opened damaged, in the order of the kinds`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try damageDatabase(of: home)

      let rows = try home.rows("check")
      let answer = try home.run("check")

      let kinds = rows.compactMap { $0["kind"] as? String }
      #expect(kinds == kinds.sorted())
      let record = rows.filter { $0["kind"] as? String == "record" }
      #expect(record.map { $0["state"] as? String } == ["damaged"])
      #expect(answer.status == 65)
    }
  }

  @Test func `check writes the reason for damage once, also if only one kind is examined`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try damageDatabase(of: home)

      let answer = try home.run("check", "--kind", "record")

      #expect(answer.status == 65)
      #expect(answer.output.contains("record  damaged"), "\(answer.output)")
      #expect(answer.errors.isEmpty)
    }
  }

  @Test func `check names the options that pass the key of a vault that it did not examine`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let all = try home.run("check")
      let secret = try home.run("check", "--kind", "secret")

      #expect(all.status == 0)
      #expect(secret.status == 77)
      for answer in [all, secret] {
        #expect(answer.output.contains("secret"))
        #expect(answer.output.contains("not checked"))
        #expect(answer.output.contains("--key-file or --ask-passphrase"))
        #expect(answer.errors.isEmpty)
      }
    }
  }

  @Test func `check says which stores have no checksum of their contents`() throws {
    try withTemporaryDirectory { directory in
      let rows = try SampleHome(at: directory).rows("check")
      let help = try run("check", "--help")

      let reasons = rows.filter { $0["state"] as? String == "ok" }.map { row in
        "\(row["kind"] ?? ""): \(row["reason"] as? String ?? "-")"
      }
      #expect(
        reasons == [
          "blob: contents have no checksum", "preference: -", "record: contents have no checksum",
        ])
      #expect(help.output.contains("no checksums"))
    }
  }

  /// Overwrites all pages of the database, except for the header of the file.
  private func damageDatabase(of home: SampleHome) throws {
    let database = home.url.appending(path: try home.fileName(of: "record"))
    var bytes = try Data(contentsOf: database)
    bytes.replaceSubrange(100..., with: Data(repeating: 0xff, count: bytes.count - 100))
    try bytes.write(to: database)
  }
}
