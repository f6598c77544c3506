import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A command that reports the changes of the stores at a path while an application writes to them.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Reports the changes of the stores at a path until it is interrupted.",
    usage: "undercroft watch [<options>] <path>",
    discussion: """
      Each line names the time, the change (+ added, ~ changed, - removed), the kind, the table, \
      the key and the new content. The content is the beginning of the value or row on one line, \
      in which line breaks are blanks, also with --format ndjson, which writes keys as they are. \
      Text that is not UTF-8 is shown as a blob. Values that look like secrets by their names or \
      forms are replaced by placeholders, on a best-effort basis. \
      \(RedactionArguments.fingerprintHelp)

      Confidential stores are not watched, and neither are kinds that are added to the manifest \
      meanwhile. A store is read completely after each change of its files, which \
      takes seconds for 100,000 files. A GDBM file is read at each examination, because programs \
      change it in memory. A store that cannot be read is reported once, and read again after the \
      next change of its files. The command ends if no store can be read at the start.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text = "text"
    case ndjson = "ndjson"

    /// The format that decides how errors are written.
    var output: OutputFormat { self == .ndjson ? .ndjson : .auto }
  }

  @Argument(help: .path, completion: .file())
  var path: String
  @OptionGroup var further: FurtherArguments
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Option(parsing: .unconditional, help: "The seconds between two examinations of the files.")
  var interval = 0.5
  @Option(
    parsing: .unconditional,
    help: "The number of changes after which the command ends; 0 for no end.")
  var count = 0
  @Option(help: "The format of the output; ndjson is one JSON object on each line.")
  var format: Format = .text
  @OptionGroup var terminal: TerminalArguments

  /// The stores, which are read in place and without a key.
  ///
  /// A private copy would show one state, and vaults are never shown.
  private var target: Target { Target(path: path, access: nil) }

  func validate() throws {
    try target.validate()
    guard interval.isFinite, (0.01...86_400).contains(interval) else {
      throw ValidationError(
        "--interval is \(interval). Pass a number of seconds from 0.01 to 86400.")
    }
    guard count >= 0 else {
      throw ValidationError("--count is \(count). Pass a number of at least 0.")
    }
  }

  func run() throws {
    AccessArguments.omitSnapshotAndLock()
    try Output.run(format.output, isPaged: false) {
      let excerpt = ValueExcerpt(redactor: Redactor())
      let found = try target.stores(of: selectedKinds)
      let listings = FolderListings()
      var stores = try found.compactMap { try WatchedStore($0, excerpt, listedBy: listings) }
      let problems = stores.compactMap(\.problem)
      guard problems.count < stores.count else {
        return try nothingToWatch(problems, isOnlyStore: found.count == 1)
      }
      Output.report(problems, in: format.output)
      // A script may wait for this note before it changes the stores.
      Output.note("watching \(EnglishText.counted(stores.count, "store")); Ctrl-C ends")
      try watch(&stores, excerpt)
      // The exit status is that of the stores that still cannot be read, which were reported
      // before.
      if let status = Output.status(of: stores.compactMap(\.problem)) { throw ExitCode(status) }
      return []
    }
  }

  /// Writes the changes of the stores until their number reaches ``count``.
  private func watch(_ stores: inout [WatchedStore], _ excerpt: ValueExcerpt) throws {
    var report = WatchReport(format, limit: count)
    while true {
      let listings = FolderListings()
      for index in stores.indices {
        for event in try stores[index].examine(excerpt, listedBy: listings) {
          try report.write(event, of: stores[index].store)
        }
      }
      if report.isComplete { return }
      try Console.wait(for: interval)
    }
  }

  /// Returns the errors of the stores, or throws an error if all of them are confidential.
  ///
  /// - Throws: the error of the store if it is the only one.
  private func nothingToWatch(_ problems: [Problem], isOnlyStore: Bool) throws -> [Problem] {
    if isOnlyStore, let problem = problems.first { throw problem.error }
    guard problems.isEmpty else { return problems }
    throw StorageError(
      .locked,
      """
      cannot watch \(quoted(target.path)): no store\(KindPhrase.of(selectedKinds)) at this path \
      may be shown
      """,
      suggestion: "pass the path of a store that is not confidential")
  }
}
