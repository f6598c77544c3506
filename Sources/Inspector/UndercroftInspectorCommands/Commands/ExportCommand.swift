import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that writes all entries and rows of the stores at a path.
struct ExportCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes all entries and rows of the stores at a path.",
    discussion: """
      By default, each line is a JSON object: a value with the members kind, name, and value or \
      (for bytes that are not text) base64, or a row with the members kind, table and row. \
      Confidential stores are left out, and other values are not redacted. A note on standard \
      error gives the number of values that look like secrets, and another one what was written to \
      files.
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments
  @OptionGroup var further: FurtherArguments
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Option(help: "ndjson, json, csv, plist or sql; all but ndjson need --output-directory.")
  var format: ExportFormat?
  @Option(
    name: .shortAndLong, help: "The file to create, instead of standard output.",
    completion: .file())
  var output: String?
  @Option(
    help: "The folder to create, with a file for each kind and each table.",
    completion: .directory)
  var outputDirectory: String?

  func validate() throws {
    try target.validate()
    if output != nil, outputDirectory != nil {
      throw ValidationError(
        "--output cannot be combined with --output-directory. Omit one of them.")
    }
    if let format, format != .ndjson, outputDirectory == nil {
      throw ValidationError(
        "--format \(format.rawValue) needs --output-directory. Add it with a new folder.")
    }
    if output?.isEmpty == true || outputDirectory?.isEmpty == true {
      throw ValidationError("The path of the output is empty. Pass a new path.")
    }
  }

  func run() throws {
    try Output.run(format?.output ?? .auto) {
      let stores = try target.existingStores(of: kind)
      guard let path = outputDirectory ?? output else {
        return try export(stores, to: LineSink(nil)).problems
      }
      let item = try NewItem(at: path)
      let (count, problems): (Int, [Problem])
      if outputDirectory != nil {
        try FileManager.default.createDirectory(
          atPath: item.temporaryPath, withIntermediateDirectories: false,
          attributes: [.posixPermissions: 0o700])
        (count, problems) = try export(stores, to: FolderSink(item.temporaryPath))
      } else {
        (count, problems) = try export(stores, to: LineSink(item.temporaryPath))
      }
      // An incomplete export does not get a name.
      guard !problems.contains(where: \.isFailure) else { return problems }
      let summary = try item.summary()
      try item.commit()
      let values = count == 1 ? "1 value or row" : "\(count) values and rows"
      Output.note("exported \(values): \(summary)")
      return problems
    }
  }

  private func export(
    _ stores: [DiscoveredStore], to sink: some ExportSink
  ) throws -> (count: Int, problems: [Problem]) {
    let progress = Progress("exporting", stores: stores.count)
    defer { progress.end() }
    var export = StoreExport(format ?? .ndjson, to: sink, progress)
    let (_, problems) = try Problem.gather(from: stores) { try export.run($0) }
    try export.sink.synchronize()
    if !stores.isEmpty, export.skipped.count == stores.count { throw confidential(stores) }
    if !export.skipped.isEmpty {
      let names = export.skipped.map { quoted($0) }.joined(separator: ", ")
      Output.note("confidential stores are left out: \(names)")
    }
    if export.secretCount > 0 {
      let values =
        export.secretCount == 1
        ? "1 value that may be a secret was"
        : "\(export.secretCount) values that may be secrets were"
      Output.note("\(values) exported; read the export before you share it")
    }
    return (export.count, problems)
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
