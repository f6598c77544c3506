import ArgumentParser
import Foundation
import Undercroft
import UndercroftInspection

/// A command that shows one value as text, as JSON or as its raw bytes.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Shows one value as text, as JSON or as raw bytes.")

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text = "text"
    case json = "json"
    case raw = "raw"
  }

  @OptionGroup var target: Target
  @Argument(help: "The name of the value.") var name: String
  @Option(help: "The kind of the value, if several have this name.") var kind: String?
  @Option(help: "text, json or raw.") var format: Format = .text
  @Flag(help: "Show a secret.") var reveal = false

  private struct Row: Encodable {
    let kind: String?
    let name: String
    let codec: String?
    let bytes: Int
    let encoding: String
    let value: String

    enum CodingKeys: String, CodingKey {
      case kind = "kind"
      case name = "name"
      case codec = "codec"
      case bytes = "bytes"
      case encoding = "encoding"
      case value = "value"
    }
  }

  func run() throws {
    try Output.run {
      let (store, bytes) = try find()
      switch format {
      case .raw: try Output.bytes(bytes)
      case .text: try Output.text(ValueText.readable(bytes, codec: store.codec))
      case .json:
        let text = String(validating: bytes, as: UTF8.self)
        try Output.json(
          Row(
            kind: store.kind, name: name, codec: store.codec, bytes: bytes.count,
            encoding: text == nil ? "base64" : "utf-8",
            value: text ?? bytes.base64EncodedString()))
      }
      return []
    }
  }

  private func find() throws -> (DiscoveredStore, Data) {
    let stores = try target.stores(of: kind).filter { $0.exists || $0.kind == nil }
    let (results, problems) = try Problem.gather(from: stores) {
      store -> (DiscoveredStore, Data)? in
      let opened = try store.open()
      if opened.isConfidential, !reveal { throw hidden(store) }
      for candidate in NameText.interpretations(of: name) {
        if let bytes = try opened.bytes(of: candidate) { return (store, bytes) }
      }
      return nil
    }
    let found = results.compactMap { $0 }
    guard let first = found.first else {
      if let problem = problems.first(where: \.isFailure) { throw problem.error }
      let selected = kind.map { " of the kind \(quoted($0))" } ?? ""
      throw StorageError(
        .unavailable,
        """
        cannot show the value \(quoted(name)): no readable store\(selected) at \
        \(quoted(target.path)) has a value with this name
        """,
        suggestion: """
          run "undercroft keys" with this path to list the names of the values; if the value is \
          confidential, repeat "undercroft get" with --reveal; if the value is in a vault, also \
          pass the encryption key of the vault with --key-file, or its passphrase with \
          --ask-passphrase
          """)
    }
    guard found.count == 1 else {
      let kinds = found.map { $0.0.kind ?? $0.0.scheme }.joined(separator: ", ")
      throw StorageError(
        .unavailable,
        """
        cannot show the value \(quoted(name)): each of the kinds \(kinds) has a value with \
        this name
        """,
        suggestion: "select one of these kinds with --kind")
    }
    // The value was found, so errors of other stores are only reported as notes.
    for problem in problems where problem.isFailure { Output.note(problem.sentence) }
    return first
  }

  private func hidden(_ store: DiscoveredStore) -> StorageError {
    let path = store.url.path(percentEncoded: false)
    let property = store.isEncrypted ? "encrypted by its application" : "confidential"
    return StorageError(
      .locked,
      "cannot show the value \(quoted(name)): the store at \(quoted(path)) is \(property)",
      suggestion: store.isEncrypted
        ? """
        read the value with the application that created the store, because this tool cannot \
        decrypt the values of the store
        """
        : """
        add --reveal to show the value; if the store is a vault, also pass the encryption key of \
        the vault with --key-file, or its passphrase with --ask-passphrase
        """)
  }
}
