import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows one value as text or as JSON, or writes its bytes.
struct GetCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Shows one value as text, as JSON or as raw bytes.",
    discussion: """
      On a terminal, the value is shown as text. Otherwise, the bytes of the value are written, \
      and a line break after text that does not end with one; with --format raw, nothing is added. \
      With --format json, the value of a kind with the codec json is a part of the JSON, and \
      numbers are as they are stored. Any other value is a string, in base64 if it is not text. \
      Values that look like secrets by their names or forms are replaced by placeholders in text \
      and JSON, on a best-effort basis; JSON has the member redacted instead of the value. The \
      bytes of such a value are written to a file or another program only with --show-secrets. \
      \(RedactionArguments.fingerprintHelp)
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// ``text`` on a terminal, and otherwise the bytes.
    case auto = "auto"
    case text = "text"
    case json = "json"
    case raw = "raw"
  }

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The name of the value.", completion: .valueNames) var name: String
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Option(help: "The format of the output; auto is text on a terminal.") var format: Format = .auto
  @OptionGroup var redaction: RedactionArguments
  @OptionGroup var revealing: RevealArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func run() throws {
    try Output.run(format == .json ? .json : format == .raw ? .raw : .auto) {
      let found = try ValueLookup(target: target, kind: kind, mayReveal: revealing.reveal)
        .find(name)
      if found.isConfidential { try revealing.confirm() }
      let redactor = found.isConfidential ? nil : redaction.redactor
      let redacted = redactor?.plainText(for: found.bytes, named: name)
      if format == .json {
        try writeJSON(found.bytes, of: found.store, redacted: redacted)
      } else if format == .text || format == .auto && Terminal.isOutput {
        let codec = found.store.codec
        if let redactor, redacted != nil {
          try Output.text(redactor.text(for: found.bytes, named: name, codec: codec))
        } else {
          try Output.text(ValueText.readable(found.bytes, codec: codec))
        }
        Self.noteOmission(from: redacted.map { Data($0.utf8) } ?? found.bytes)
      } else {
        guard redacted == nil else { throw secretError(in: found.store) }
        try writeBytes(found.bytes)
      }
      if redacted != nil { RedactionArguments.note(nil) }
      return []
    }
  }

  private func writeBytes(_ bytes: Data) throws {
    let isWhole =
      format == .raw || bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
      || !ValueText.isText(bytes)
    try Output.bytes(isWhole ? bytes : bytes + "\n".utf8)
  }

  /// Returns the error of a value with a secret, which a placeholder in a file or another program
  /// would replace without notice.
  private func secretError(in store: DiscoveredStore) -> StorageError {
    StorageError(
      .locked,
      """
      cannot write the bytes of the value \(quoted(name)): it contains text that looks like a \
      secret, and is in the store at \(quoted(store.path))
      """,
      suggestion: "add --show-secrets to write it, or --format text to show it with placeholders")
  }

  /// Writes a value as an object of JSON, or its text with placeholders if it contains secrets.
  private func writeJSON(_ bytes: Data, of store: DiscoveredStore, redacted: String?) throws {
    var row: [ExactString: ResultValue] = [
      "kind": ResultValue(store.kind), "name": .text(name), "codec": ResultValue(store.codec),
      "bytes": .integer(Int64(bytes.count)),
    ]
    if let redacted {
      row["redacted"] = .text(redacted)
    } else if store.codec == "json", let json = EmbeddedJSON(bytes, indentation: 1) {
      row["encoding"] = .text("json")
      return try Output.text(ResultValue.formattedJSON(row, "value", json))
    } else {
      let text = String(validating: bytes, as: UTF8.self)
      row["encoding"] = .text(text == nil ? "base64" : "utf-8")
      row["value"] = .text(text ?? bytes.base64EncodedString())
    }
    try Output.text(ResultValue.object(row).formattedJSON)
  }

  /// Writes a note if the text of a value shows only its first bytes.
  private static func noteOmission(from bytes: Data) {
    let omitted = ValueText.omittedByteCount(of: bytes)
    guard omitted > 0 else { return }
    Output.note(
      """
      the first \(bytes.count - omitted) of \(bytes.count) bytes are shown; to write all bytes to \
      a file or another program, pass --format raw
      """)
  }
}
