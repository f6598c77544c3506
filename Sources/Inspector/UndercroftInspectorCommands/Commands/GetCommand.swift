import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows one value as text, as JSON or as its raw bytes.
struct GetCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Shows one value as text, as JSON or as raw bytes.",
    discussion: """
      With --format json, the value of a kind with the codec json is a part of the JSON, and \
      numbers are as they are stored. Any other value is a string, in base64 if it is not text. \
      The value is shown even if it looks like a secret.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text = "text"
    case json = "json"
    case raw = "raw"
  }

  @Argument(help: .path, completion: .file())
  var path: String
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments
  @Argument(help: "The name of the value.", completion: .valueNames) var name: String
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Option(help: "text, json or raw.") var format: Format = .text
  @OptionGroup var revealing: RevealArguments

  func run() throws {
    try Output.run(format == .json ? .json : format == .raw ? .raw : .auto) {
      let found = try ValueLookup(target: target, kind: kind, mayReveal: revealing.reveal)
        .find(name)
      if found.isConfidential { try revealing.confirm() }
      let (store, bytes) = (found.store, found.bytes)
      switch format {
      case .raw: try Output.bytes(bytes)
      case .text: try Output.text(ValueText.readable(bytes, codec: store.codec))
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
}
