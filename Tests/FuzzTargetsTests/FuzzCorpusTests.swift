import Foundation
import FuzzTargets
import Testing

/// Tests that replay all inputs that fuzzing has saved.
@Suite struct FuzzCorpusTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "FuzzCorpus", directoryHint: .isDirectory)

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `each fuzz target processes its saved inputs without an unexpected error`(name: String)
    throws
  {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let folder = Self.corpus.appending(path: name, directoryHint: .isDirectory)
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)

    for file in files.sorted(by: { $0.path < $1.path }) {
      #expect(throws: Never.self, "\(file.lastPathComponent)") {
        try target.run(Data(contentsOf: file))
      }
    }

    #expect(!files.isEmpty)
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `each fuzz target processes complete and truncated seed inputs without unexpected errors`(
    name: String
  ) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })

    for seed in try target.seeds() {
      for count in stride(from: seed.count, through: 0, by: -max(1, seed.count / 16)) {
        #expect(throws: Never.self, "\(count) bytes") { try target.run(seed.prefix(count)) }
      }
    }
  }
}
