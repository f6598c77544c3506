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
      The value is shown even if it looks like a secret.
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
  @OptionGroup var revealing: RevealArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func run() throws {
    try Output.run(format == .json ? .json : format == .raw ? .raw : .auto) {
      let found = try ValueLookup(target: target, kind: kind, mayReveal: revealing.reveal)
        .find(name)
      if found.isConfidential { try revealing.confirm() }
      let (store, bytes) = (found.store, found.bytes)
      switch format {
      case .raw: try Output.bytes(bytes)
      case .auto where !Terminal.isOutput:
        let isLine = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") || !ValueText.isText(bytes)
        try Output.bytes(isLine ? bytes : bytes + "\n".utf8)
      case .auto, .text:
        try Output.text(ValueText.readable(bytes, codec: store.codec))
        Self.noteOmission(from: bytes)
      case .json:
        var row: [ExactString: ResultValue] = [
          "kind": ResultValue(store.kind), "name": .text(name), "codec": ResultValue(store.codec),
          "bytes": .integer(Int64(bytes.count)),
        ]
        if store.codec == "json", let json = EmbeddedJSON(bytes, indentation: 1) {
          row["encoding"] = .text("json")
          try Output.text(ResultValue.formattedJSON(row, "value", json))
          return []
        }
        let text = String(validating: bytes, as: UTF8.self)
        row["encoding"] = .text(text == nil ? "base64" : "utf-8")
        row["value"] = .text(text ?? bytes.base64EncodedString())
        try Output.text(ResultValue.object(row).formattedJSON)
      }
      return []
    }
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
