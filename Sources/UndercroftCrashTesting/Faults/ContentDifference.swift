import UndercroftFoundation

/// The names whose values differ between a writer and a new process that opens the same files.
struct ContentDifference: CustomStringConvertible {
  let writer: [String: Data]
  let newProcess: [String: Data]

  /// The maximum number of names in the description.
  private static let maximumNames = 4

  var description: String {
    let names = Set(writer.keys).union(newProcess.keys)
      .filter { writer[$0] != newProcess[$0] }.sorted()
    let parts = names.prefix(Self.maximumNames).map { name in
      "\"\(name)\" is \(text(writer[name])) for the writer and "
        + "\(newProcess[name].map { isSameSize($0, writer[name]) ? "other bytes" : text($0) } ?? "absent")"
        + " for a new process"
    }
    let more = names.count - parts.count
    return parts.joined(separator: "; ") + (more > 0 ? "; \(more) more names differ" : "")
  }

  private func isSameSize(_ value: Data, _ other: Data?) -> Bool { value.count == other?.count }

  private func text(_ value: Data?) -> String {
    value.map { $0.count == 1 ? "1 byte" : "\($0.count) bytes" } ?? "absent"
  }
}
