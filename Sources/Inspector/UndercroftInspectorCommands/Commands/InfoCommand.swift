import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A command that shows the format, files, permissions and locks of the stores at a path.
struct InfoCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Shows the format, files, permissions and locks of the stores at paths.")

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  private static let columns = [
    "kind", "backend", "path", "format", "entries", "tables", "bytes", "isConfidential", "facts",
    "files", "locks", "warnings", "problem",
  ]

  func run() throws {
    try Output.run(output.format) {
      let (locks, listings) = (HeldLocks.present(), FolderListings())
      let found = try targets.stores(of: selectedKinds, orOtherFormats: selectedKinds.isEmpty)
      let column = TargetColumn(of: found)
      var damage: [Problem] = []
      let isText = [.auto, .table, .markdown].contains(output.format)
      let (rows, problems) = try found.gather { target in
        if let format = target.otherFormat {
          let row = Self.row(target.location, format, locks, listings, isText)
          return ([column.row(target.path, row)], [])
        }
        return try Problem.gather(from: target.stores) {
          column.row($0.target, try row($0, locks, listings, isText, &damage))
        }
      }
      let columns = column.columns(Self.columns)
      switch output.format {
      case .auto, .table:
        let blocks = rows.map { RowBlock.text(columns, $0, output.options()) }
        try Output.bytes(Data(blocks.joined(separator: "\n").utf8))
      default: try Output.rows(columns, rows, output)
      }
      return problems + damage
    }
  }

  private func row(
    _ store: DiscoveredStore, _ locks: HeldLocks, _ listings: FolderListings, _ isText: Bool,
    _ damage: inout [Problem]
  ) throws -> [ResultValue] {
    let path = store.path
    guard store.exists || store.kind == nil else {
      return [ResultValue(store.kind), .text(store.scheme), .text(path)]
        + Array(repeating: .absent, count: Self.columns.count - 4) + [.text("not created yet")]
    }
    let described = try DescribedStore(store, isSnapshot: access.snapshot)
    let (report, isConfidential) = (described.report, described.isConfidential)
    let problems = described.problems
    damage += problems
    let files = StoreFile.all(at: store.url, listedBy: listings)
    let held = files.flatMap { file in locks.on(file).map { (file, $0) } }
    let snapshots = SnapshotFolder.shared
    let facts = report.facts.map {
      (ExactString($0.name), ResultValue.text(snapshots.namingStores(in: $0.text)))
    }
    return [
      ResultValue(store.kind), .text(store.scheme), .text(path), .text(report.format),
      report.isTabular
        ? .absent : Self.entries(report.entryCount, isText ? described.lockWord : nil),
      report.isTabular ? ResultValue(report.entryCount) : .absent, ResultValue(report.byteCount),
      .boolean(isConfidential),
      .object(Dictionary(facts) { first, _ in first }),
      .list(files.map { Self.value($0, isText) }),
      .list(held.map { .text("\($1.description) on \($0.path)") }),
      .list(Self.warnings(files, isConfidential: isConfidential).map { .text($0) }),
      // Text shows the errors after the rows.
      isText
        ? .absent
        : ResultValue(problems.first.map { snapshots.namingStores(in: $0.error.failure) }),
    ]
  }

  /// Returns the number of entries or, if it is unknown, the word for the reason.
  private static func entries(_ count: Int?, _ lockWord: String?) -> ResultValue {
    count.map { ResultValue($0) } ?? ResultValue(lockWord)
  }

  /// Returns the row of a file or folder that is not a store but has a known format.
  private static func row(
    _ url: URL, _ format: IdentifiedFormat, _ locks: HeldLocks, _ listings: FolderListings,
    _ isText: Bool
  ) -> [ResultValue] {
    let files = StoreFile.all(at: url, listedBy: listings)
    let held = files.flatMap { file in locks.on(file).map { (file, $0) } }
    return [
      .absent, .absent, .text(url.path(percentEncoded: false)), .text(format.name),
      .absent, .absent, ResultValue(files.reduce(0) { $0 + ($1.isRegular ? $1.byteCount : 0) }),
      .absent,
      .object(["note": .text("this is not a store that this tool opens; \(format.suggestion)")]),
      .list(files.map { value($0, isText) }),
      .list(held.map { .text("\($1.description) on \($0.path)") }),
      .list(warnings(files, isConfidential: false).map { .text($0) }), .absent,
    ]
  }

  private static func value(_ file: StoreFile, _ isText: Bool) -> ResultValue {
    .object([
      "path": .text(file.path), "bytes": ResultValue(file.byteCount),
      "modified": .text(file.modified.formatted(.iso8601)), "mode": .text(file.modeText),
      "owner": isText ? .text(UserName.text(of: file.owner)) : .integer(Int64(file.owner)),
    ])
  }

  private static func warnings(_ files: [StoreFile], isConfidential: Bool) -> [String] {
    files.compactMap { file in
      if file.mode & 0o002 != 0 { return "every user can write \(file.path)" }
      if isConfidential, file.isSharedWithOthers {
        return "other users can read \(file.path), which contains confidential data"
      }
      return nil
    }
  }
}
