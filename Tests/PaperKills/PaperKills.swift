import Foundation
import Paper
import UndercroftCore
import UndercroftTesting

/// The parent is called with a folder.
///
/// A child also receives a seed and the number of its first batch.
@main struct PaperKills {
  static func main() throws {
    let words = CommandLine.arguments
    let folder = URL(filePath: words.count > 1 ? words[1] : "paper-kills")
    func open(_ folder: URL) throws -> any StorageBackend {
      try PaperBackend(in: folder.appending(path: "store"))
    }
    if words.count == 4, let seed = UInt64(words[2]), let first = Int(words[3]) {
      try KillWriter.run(KillSeries(seed: seed), from: first) { try open(folder) }
    }
    let report = try KillLoop(store: "paper", rounds: 40, seed: 7).run(
      in: folder,
      command: { series, first in [words[0], folder.path, "\(series.seed)", "\(first)"] },
      open: open, progress: { print($0) })
    print(report)
    exit(report.isClean ? 0 : 1)
  }
}
