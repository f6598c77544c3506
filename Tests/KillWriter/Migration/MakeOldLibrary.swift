import ArgumentParser
import Foundation

/// A command that creates an old library for a migration, or checks whether a file still contains
/// that library.
struct MakeOldLibrary: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "old-library", abstract: "Create an old library, or check whether a file is one.")

  @Option var file: String
  @Option(help: "How many megabytes the library has.") var megabytes = 0.2
  @Flag(help: "Compare a file with an old library of this size.") var looks = false

  func run() throws {
    let byteCount = Int(megabytes * 1_000_000)
    guard looks else {
      _ = try OldLibrary(at: URL(filePath: file), byteCount: byteCount)
      return
    }
    let other = URL.temporaryDirectory.appending(path: "undercroft-old-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: other) }
    let old = try OldLibrary(at: other.appending(path: "old.sqlite"), byteCount: byteCount)
    let finding = LibraryFinding(of: URL(filePath: file), holding: old.content)
    for (trouble, text) in finding.troubles { print("\(trouble.rawValue): \(text)") }
    print("version \(finding.version)\(finding.isUnfinished ? ", unfinished" : "")")
    if !finding.troubles.isEmpty { throw ExitCode.failure }
  }
}
