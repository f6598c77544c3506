import Foundation
import ShelfCatalogue
import TestSupport
import Testing

@Suite struct ControlReaderTests {
  static let sound = """
    Package: dune
    Version: 1.0-2
    Architecture: all
    Section: novels
    Installed-Size: 412
    Depends: paper (>= 2.0), ink | toner [amd64],
     binding:any (= 1)
    Pre-Depends: author
    Description: A desert planet
     Long text that is not kept.
     .

    # a comment
    Package: emma
    Version: 3
    Architecture: amd64

    """

  private func read(_ bytes: Data) throws -> [Package] {
    try withTemporaryDirectory { directory in
      let path = directory.appending(path: "status").path
      try bytes.write(to: URL(filePath: path))
      var reader = try ControlReader(path)
      var packages: [Package] = []
      while let package = try reader.next() { packages.append(package) }
      return packages
    }
  }

  private func read(_ text: String) throws -> [Package] { try read(Data(text.utf8)) }

  @Test func `each paragraph of a package list is read as one package`() throws {
    let packages = try read(Self.sound)
    #expect(packages.map(\.name) == ["dune", "emma"])

    let dune = try #require(packages.first)
    #expect(dune.version == "1.0-2")
    #expect(dune.section == "novels")
    #expect(dune.installedSize == 412)
    #expect(dune.summary == "A desert planet")

    let needed = dune.dependencies.map { $0.alternatives.map { "\($0.name) \($0.requirement)" } }
    #expect(needed == [["author "], ["paper >= 2.0"], ["ink ", "toner "], ["binding = 1"]])
    #expect(packages[1].dependencies == [])
  }

  @Test func `Windows line endings and a missing last newline do not change the parsed packages`()
    throws
  {
    let plain = try read(Self.sound)
    let other = try read(Self.sound.replacingOccurrences(of: "\n", with: "\r\n"))

    #expect(other == plain)
    #expect(try read(String(Self.sound.dropLast(2))).map(\.name) == ["dune", "emma"])
    #expect(try read("\n\n \n" + Self.sound + "\n\n").map(\.name) == ["dune", "emma"])
  }

  @Test func `changing a paragraph of a package list changes the digest of that paragraph`() throws
  {
    let packages = try read(Self.sound)
    let changed = try read(Self.sound.replacingOccurrences(of: "desert", with: "sand"))

    #expect(packages[0].digest != changed[0].digest)
    #expect(packages[1].digest == changed[1].digest)
  }

  @Test func `bytes of a package list that are not UTF-8 are read as the replacement character`()
    throws
  {
    let packages = try read(Data("Package: ".utf8) + Data([0xff, 0x61]) + Data("\n".utf8))
    #expect(packages.map(\.name) == ["\u{fffd}a"])
  }

  @Test(arguments: [
    ("no field at all\n", 1), (" continues nothing\n", 1), (": nameless\n", 1),
    ("Package: a\nPackage: b\n", 2), ("Version: 1\n\n", 2), ("Package: a\n\nVersion: 1\n", 3),
    ("Package: a\nbinary \0 bytes\n", 2),
  ])
  func `reading a damaged package list throws an error with the line number of the damage`(
    text: String, line: Int
  )
    throws
  {
    try expectDamage(at: line, in: text)
  }

  @Test func `a line of several megabytes in a package list is reported as damage`() throws {
    try expectDamage(at: 2, in: "Package: a\nX: " + String(repeating: "x", count: 3 << 20))
  }

  private func expectDamage(at line: Int, in text: String) throws {
    let error = #expect(throws: InputError.self) { try read(text) }
    guard case .damaged(_, let found, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found == line)
  }

  @Test func `reading a package list from a missing file or a directory throws an error`() throws {
    for path in ["/nonexistent/status", "/"] {
      let error = #expect(throws: InputError.self) {
        var reader = try ControlReader(path)
        _ = try reader.next()
      }
      guard case .unreadable = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func `a package list line that crosses the end of a read buffer is read as one line`()
    throws
  {
    let filler = String(repeating: "X-Filler: 0123456789\n", count: 12_500)
    let packages = try read("Package: a\n" + filler + "Section: novels\n")
    #expect(packages.map(\.section) == ["novels"])
  }

  /// The processor time of the fastest of several runs, which the machine's load hardly affects.
  private func cost(_ body: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<5 {
      var (start, end) = (timespec(), timespec())
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
      try body()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
      let nanoseconds = Double(end.tv_nsec - start.tv_nsec)
      best = min(best, Double(end.tv_sec - start.tv_sec) + nanoseconds / 1e9)
    }
    return best
  }

  @Test(arguments: ["", " (= 1)"])
  func `parsing a malicious dependency field takes time linear in the field's length`(end: String) {
    func relation(_ count: Int) -> String { "paper " + String(repeating: "<", count: count) + end }
    let (short, long) = (relation(2_000), relation(32_000))

    let ratio = cost { _ = Dependency.parse(long) } / cost { _ = Dependency.parse(short) }

    // The input is 16 times longer: a linear parser takes 16 times as long, a quadratic one 256.
    #expect(ratio < 80)
  }

  @Test
  func `parsing package dependencies drops build restrictions and preserves version requirements`()
  {
    let text = "paper (<< 2.0) <!nocheck>, ink <cross>, toner [amd64] (= 1), glue<cross>"

    let found = Dependency.parse(text).map {
      $0.alternatives.map { "\($0.name) \($0.requirement)" }
    }

    #expect(found == [["paper << 2.0"], ["ink "], ["toner "], ["glue "]])
  }

  @Test func `packages with the same name receive unique identities in linear time`() {
    func identities(_ count: Int) -> [String] {
      var identities = PackageIdentities()
      return (0..<count).map { _ in identities.identity(of: "paper", "all") }
    }

    #expect(identities(4) == ["paper:all", "paper:all#2", "paper:all#3", "paper:all#4"])
    #expect(Set(identities(16_000)).count == 16_000)
    let ratio = cost { _ = identities(16_000) } / cost { _ = identities(1_000) }
    #expect(ratio < 80)
  }

  @Test
  func `the suffix of a duplicate package's identity never creates an identity already in use`() {
    var identities = PackageIdentities()

    let found = ["all#2", "all", "all", "all"].map { identities.identity(of: "paper", $0) }

    #expect(found == ["paper:all#2", "paper:all", "paper:all#3", "paper:all#4"])
  }

  @Test
  func `a changelog date that exceeds Int64 in microseconds is clamped to the range of Int64`() {
    let seconds = { (seconds: Double) in
      ChangelogFile.microseconds(of: Date(timeIntervalSince1970: seconds))
    }

    #expect(seconds(1.5) == 1_500_000)
    #expect(seconds(-1.5) == -1_500_000)
    // Beyond the year 292,000, and beyond the year -292,000.
    #expect(seconds(1e13) == .max)
    #expect(seconds(-1e13) == .min)
    #expect(seconds(Double(Int64.max)) == .max)
  }
}
