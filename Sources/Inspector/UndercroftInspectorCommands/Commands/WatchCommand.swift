import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that reports the changes of the stores at a path while an application writes to them.
struct WatchCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Reports the changes of the stores at a path until it is interrupted.",
    usage: "undercroft watch [<options>] <path>",
    discussion: """
      Each line names the time, the change (+ added, ~ changed, - removed), the kind, the table, \
      the key and the new content. Confidential stores are not watched. Values that look like \
      secrets by their names or forms are replaced by placeholders, on a best-effort basis. \
      \(RedactionArguments.fingerprintHelp) The stores are read again after each change of their \
      files.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text = "text"
    case ndjson = "ndjson"
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
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try target.validate()
    if access.snapshot || access.lock {
      throw ValidationError(
        "watch cannot be combined with --snapshot or --lock, which show one state of a store.")
    }
    guard interval.isFinite, (0.01...86_400).contains(interval) else {
      throw ValidationError(
        "--interval is \(interval). Pass a number of seconds from 0.01 to 86400.")
    }
    guard count >= 0 else {
      throw ValidationError("--count is \(count). Pass a number of at least 0.")
    }
  }

  func run() throws {
    let output = format == .ndjson ? OutputFormat.ndjson : .auto
    AccessArguments.refuseSnapshotAndLock()
    try Output.run(output, isPaged: false) {
      let excerpt = ValueExcerpt(redactor: Redactor())
      let (stores, problems) = try Problem.gather(from: try target.stores(of: selectedKinds)) {
        try WatchedStore($0, excerpt)
      }
      var watched = stores.compactMap(\.self)
      guard !watched.isEmpty else { return try nothingToWatch(problems) }
      Output.report(problems.filter(\.isFailure), in: output)
      // A script may wait for this note before it changes the stores.
      Output.note("watching \(EnglishText.counted(watched.count, "store")); Ctrl-C ends")
      var reported = 0
      while true {
        for index in watched.indices {
          try watched[index].forEachChange(excerpt) { difference in
            guard count == 0 || reported < count else { return }
            reported += 1
            try Output.text(line(difference))
          }
        }
        if count > 0, reported >= count { return [] }
        Thread.sleep(forTimeInterval: interval)
      }
    }
  }

  /// Returns the errors of the stores, or throws an error if all of them are confidential.
  private func nothingToWatch(_ problems: [Problem]) throws -> [Problem] {
    guard !problems.contains(where: \.isFailure) else { return problems }
    throw StorageError(
      .locked,
      """
      cannot watch \(quoted(target.path)): no store\(KindPhrase.of(selectedKinds)) at this path \
      may be shown
      """,
      suggestion: "pass the path of a store that is not confidential")
  }

  private func line(_ difference: Difference) -> String {
    let time = Date.now.formatted(.iso8601)
    guard format == .text else {
      return ResultValue.object([
        "time": .text(time), "change": .text(difference.change.rawValue),
        "kind": .text(difference.kind), "table": ResultValue(difference.table),
        "key": .text(difference.key), "new": ResultValue(difference.new),
      ]).json
    }
    let (sign, kind) = (difference.change.rawValue, ValueText.safe(difference.kind))
    let content = [difference.table, difference.key, difference.new].compactMap(\.self)
      .map { ValueText.safe($0) }
    let styledSign = TextStyle(sign: sign)?.applied(to: sign, on: STDOUT_FILENO) ?? sign
    let styledKind = TextStyle.kind.applied(to: kind, on: STDOUT_FILENO)
    return ([time, styledSign, styledKind] + content).joined(separator: " ")
  }
}
