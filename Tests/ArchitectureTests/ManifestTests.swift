import Foundation
import Testing

/// Tests of the rules for the dependencies in Package.swift.
@Suite struct ManifestTests {
  @Test(arguments: [
    (#"package: "swift-crypto""#, "Secrets"), (#"case "UndercroftSecrets":"#, "Secrets"),
    (#"case "UndercroftGDBM":"#, "GDBM"),
  ])
  func `every dependency on an optional package is conditional on a package trait`(
    dependency: String, trait: String
  ) throws {
    let mentions = try manifest().filter { $0.contains(dependency) }

    #expect(mentions.count == 1)
    for line in mentions { #expect(line.contains(#"condition: .when(traits: ["\#(trait)"])"#)) }
  }

  @Test func `no package trait makes the umbrella module depend on GDBM`() throws {
    let text = try manifest().joined(separator: "\n")

    let umbrella = try #require(text.firstMatch(of: #/library\(\s*"Undercroft",[^\]]*\]/#))

    #expect(umbrella.0.contains(#""UndercroftSecrets""#))
    #expect(!umbrella.0.contains("GDBM"))
  }

  private func manifest() throws -> [Substring] {
    let url = SourceTree.root.appending(path: "Package.swift")
    return SourceTree.File(
      path: "Package.swift", text: try String(contentsOf: url, encoding: .utf8)
    ).lines
  }
}
