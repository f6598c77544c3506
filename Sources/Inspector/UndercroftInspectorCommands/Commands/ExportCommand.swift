import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that writes all entries and rows of the stores at a path.
struct ExportCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes all entries and rows of the stores at a path.",
    usage: "undercroft export [<options>] <path>",
    discussion: """
      By default, each line is a JSON object: a value with the members kind, name, and value or \
      (for bytes that are not text) base64, or a row with the members kind, table and row. \
      Confidential stores are left out. Other values that look like secrets are exported, unless \
      --redact is passed: the member redacted then has a placeholder instead of the value, and \
      "import" refuses the line. A note on standard error names such values, and another one says \
      what was written to files. If a store or a table cannot be read, the others are exported, \
      and the exit status is that of the error: a folder then has no file for what cannot be read, \
      and the file of --output is not created. The status is also 65 if everything can be read, \
      but "check" would report damage. To write a single table, run \
      undercroft rows PATH TABLE --format FORMAT, with --show-secrets to write also values that \
      look like secrets.
      """)

  /// The numbers and errors of an export.
  private struct Outcome {
    let count: Int
    let tableCount: Int
    let problems: [Problem]
    /// Whether everything was read that is not confidential.
    let isComplete: Bool
  }

  @Argument(help: .path, completion: .file())
  var path: String
  @OptionGroup var further: FurtherArguments
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Option(help: "The format, which is ndjson by default; the others need --output-directory.")
  var format: ExportFormat?
  @Option(
    name: .shortAndLong, help: "The file to create, instead of standard output.",
    completion: .file())
  var output: String?
  @Option(
    help: "The new or empty folder that gets a file for each kind and each table.",
    completion: .directory)
  var outputDirectory: String?
  @Flag(help: "Replace values that look like secrets by placeholders, on a best-effort basis.")
  var redact = false
  @Flag(help: "With csv: prevent spreadsheets from calculating values as formulas.")
  var csvSafe = false
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try target.validate()
    if output != nil, outputDirectory != nil {
      throw ValidationError(
        "--output cannot be combined with --output-directory. Omit one of them.")
    }
    if let format, format != .ndjson, outputDirectory == nil {
      throw ValidationError(
        "--format \(format.rawValue) needs --output-directory. Add it with a new or empty folder.")
    }
    if csvSafe, format != .csv {
      throw ValidationError(
        outputDirectory == nil
          ? "--csv-safe needs --format csv and --output-directory. Add both."
          : "--csv-safe needs --format csv. Add it, or omit --csv-safe.")
    }
    if redact, format == .sql {
      throw ValidationError(
        "--redact cannot be combined with --format sql, because the statements would store "
          + "placeholders. Choose another format.")
    }
    if output?.isEmpty == true || outputDirectory?.isEmpty == true {
      throw ValidationError("The path of the output is empty. Pass a new path.")
    }
  }

  func run() throws {
    try Output.run(format?.output ?? .auto) {
      let stores = try target.existingStores(of: selectedKinds)
      guard let path = outputDirectory ?? output else {
        return try export(stores, to: LineSink(nil)).problems
      }
      let item = try NewItem(at: path, replacesEmptyFolder: outputDirectory != nil)
      let outcome: Outcome
      if outputDirectory != nil {
        // The error names the path that the user has passed.
        guard mkdir(item.temporaryPath, 0o700) == 0 else {
          throw StorageError.system("create the folder", path)
        }
        outcome = try export(
          stores, to: FolderSink(item.temporaryPath, isSafeForSpreadsheets: csvSafe))
      } else {
        outcome = try export(stores, to: LineSink(item.temporaryPath))
      }
      // The files of a folder are complete, and an incomplete file does not get a name.
      guard outcome.isComplete || outputDirectory != nil && outcome.tableCount > 0 else {
        if outputDirectory == nil {
          Output.note(
            """
            \(quoted(path)) was not created, because not everything could be read; to export what \
            can be read, pass --output-directory with a new folder, or write to standard output
            """)
        }
        return outcome.problems
      }
      let summary = try item.summary()
      try item.commit()
      let values = outcome.count == 1 ? "1 value or row" : "\(outcome.count) values and rows"
      let rest = outcome.isComplete ? "" : "; not everything could be read"
      Output.note("exported \(values): \(summary)\(rest)")
      return outcome.problems
    }
  }

  private func export(
    _ stores: [DiscoveredStore], to sink: some ExportSink
  ) throws -> Outcome {
    let progress = Progress("exporting", stores: stores.count)
    defer { progress.end() }
    var export = StoreExport(format ?? .ndjson, to: sink, redacting: redact, progress)
    var problems: [Problem] = []
    for store in stores {
      do {
        try export.run(store)
      } catch let error as StorageError where stores.count > 1 || export.tableCount > 0 {
        problems.append(Problem(store: store, error: error))
      }
    }
    try export.sink.synchronize()
    if !stores.isEmpty, export.skipped.count == stores.count { throw confidential(stores) }
    if !export.skipped.isEmpty {
      let names = export.skipped.map { quoted($0) }.joined(separator: ", ")
      Output.note("confidential stores are left out: \(names)")
    }
    if let note = export.secrets.note(areRedacted: redact) { Output.note(note) }
    return Outcome(
      count: export.count, tableCount: export.tableCount, problems: problems + export.damage,
      isComplete: !problems.contains(where: \.isFailure))
  }

  private func confidential(_ stores: [DiscoveredStore]) -> StorageError {
    StorageError(
      .locked,
      """
      cannot export \(quoted(target.path)): \
      \(stores.count == 1 ? "the store is" : "all stores are") confidential, and confidential \
      values are never exported
      """,
      suggestion: """
        run "undercroft cp" to copy the encrypted values, or "undercroft get" with --reveal on a \
        terminal to show one value
        """)
  }
}
