import Testing
import UndercroftSync

@Suite struct ScopeDigestTests {
  @Test func `the digest of a sync scope does not depend on the order of its rows`() {
    var forwards = ScopeDigest()
    var backwards = ScopeDigest()

    for version in Int64(1)...100 {
      forwards.add(table: "loan", row: DataIdentifier("r\(version)"), version: version)
    }
    for version in (Int64(1)...100).reversed() {
      backwards.add(table: "loan", row: DataIdentifier("r\(version)"), version: version)
    }

    #expect(forwards == backwards)
    #expect(forwards.count == 100)
  }

  @Test func `adding and then removing a row leaves the digest of a sync scope unchanged`() {
    var digest = ScopeDigest()
    digest.add(table: "loan", row: "r1", version: 7)
    let before = digest

    digest.add(table: "loan", row: "r2", version: 8)
    digest.remove(table: "loan", row: "r2", version: 8)

    #expect(digest == before)
  }

  @Test
  func `rows that differ in version, identifier or table give a sync scope different digests`() {
    func sum(_ table: String, _ row: DataIdentifier, _ version: Int64) -> UInt64 {
      var digest = ScopeDigest()
      digest.add(table: table, row: row, version: version)
      return digest.sum
    }

    let sums = [
      sum("loan", "r1", 11), sum("loan", "r1", 1), sum("loan", "r11", 1), sum("loanr", "1", 11),
      sum("book", "r1", 11), sum("loan", "r1", -11),
    ]

    #expect(Set(sums).count == sums.count)
  }
}
