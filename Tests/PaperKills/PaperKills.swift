import Foundation
import Paper
import UndercroftCore
import UndercroftTesting

/// A program that kills writers of the paper store, with a folder as its argument.
///
/// A child process also receives the number of its first batch.
@main struct PaperKills {
  static func main() throws {
    let words = CommandLine.arguments
    let folder = URL(filePath: words.count > 1 ? words[1] : "paper-kills")
    func open(_ folder: URL) throws -> any StorageBackend {
      try PaperBackend(in: folder.appending(path: "store"))
    }
    let test = KillTest(store: "paper", rounds: 40, seed: 7)
    if words.count == 3, let first = Int(words[2]) {
      try test.write(from: first) { try open(folder) }
    }
    let report = try test.run(
      in: folder, writer: { first in [words[0], folder.path, "\(first)"] }, open: open,
      progress: { print($0) })
    print(report)
    exit(report.isClean ? 0 : 1)
  }
}
