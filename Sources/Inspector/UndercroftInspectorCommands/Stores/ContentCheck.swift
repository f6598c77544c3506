import Foundation
import UndercroftCore
import UndercroftInspection

/// The reading of all values of a store without checksums, which decodes them if their codec is
/// known, and tests values that are gzip data.
///
/// A key can have a codec of its own, which no manifest names. A value that cannot be decoded is
/// therefore damage only if it begins like a value of the codec.
struct ContentCheck {
  /// The size in bytes of the largest value that is decoded, which bounds the memory.
  private static let maximumByteCount = 4 << 20
  /// The maximum number of values whose names are stored for each finding.
  private static let maximumCount = 100
  /// The maximum number of values that one sentence names.
  private static let maximumNameCount = 5

  private let conversion: ValueConversion
  private let hidesNames: Bool
  private let decompression = InspectorCommand.decompression
  private var readCount = 0
  private var decodedCount = 0
  private var gzipCount = 0
  /// The name of the first value that was too large to be decoded.
  private var largeName: String?
  private var undecoded = NamedValues()
  private var damaged = NamedValues()

  /// The names of the values with a finding, and what follows the name in a sentence.
  private struct NamedValues {
    var count = 0
    var values: [(name: ExactString, predicate: String)] = []

    mutating func add(_ name: String, _ predicate: String = "") {
      count += 1
      if values.count < ContentCheck.maximumCount { values.append((ExactString(name), predicate)) }
    }

    var sorted: [(name: ExactString, predicate: String)] { values.sorted { $0.name < $1.name } }
  }

  private init(_ conversion: ValueConversion, hidesNames: Bool) {
    self.conversion = conversion
    self.hidesNames = hidesNames
  }

  /// Reads the values of a store, and returns the states of its values, or one state with a phrase
  /// that says what was examined.
  static func results(
    of opened: OpenedStore, _ store: DiscoveredStore
  ) throws -> [(state: CheckedStore.State, reason: String?)] {
    guard !opened.report.isTabular else {
      return [(.ok, "structure examined; rows have no checksums")]
    }
    var check = ContentCheck(
      ValueConversion(codec: store.isEncrypted ? nil : store.codec),
      hidesNames: opened.isConfidential)
    try opened.forEachValue { name, bytes in
      try check.add(name, bytes)
      return true
    }
    return check.results
  }

  private mutating func add(_ name: String, _ bytes: Data) throws {
    readCount += 1
    if let damage = try gzipDamage(in: bytes) {
      damaged.add(name, damage)
    } else if let codec = conversion.codec, conversion.hasFormat {
      decode(name, bytes, codec)
    }
  }

  private mutating func decode(_ name: String, _ bytes: Data, _ codec: String) {
    if bytes.count > Self.maximumByteCount {
      largeName = largeName ?? name
    } else if conversion.canDecode(bytes) {
      decodedCount += 1
    } else if conversion.isBegun(by: bytes) {
      damaged.add(name, "begins like a value of the codec \(quoted(codec)), but cannot be decoded")
    } else {
      undecoded.add(name)
    }
  }

  /// Returns what is wrong with a value that is gzip data, or `nil` if it is intact or other data.
  private mutating func gzipDamage(in bytes: Data) throws -> String? {
    guard let decompression, GzipData.hasHeader(bytes) else { return nil }
    switch try decompression(bytes, { _ in true }) {
    case .truncated: return "is gzip data that ends early"
    case .damaged: return "is gzip data that is damaged"
    case .complete, .stopped:
      gzipCount += 1
      return nil
    }
  }

  // MARK: Sentences

  private var results: [(state: CheckedStore.State, reason: String?)] {
    var results = damaged.sorted.map { value in
      (
        state: CheckedStore.State.damaged,
        reason: String?.some(
          "\(hidesNames ? "a value" : "the value \(quoted(value.name.text))") \(value.predicate)")
      )
    }
    let rest = damaged.count - damaged.values.count
    if rest > 0 { results.append((.damaged, "\(Self.values(rest)) more")) }
    if undecoded.count > 0 { results.append((.undecoded, undecodedSentence)) }
    return results.isEmpty ? [(.ok, summary)] : results
  }

  private var undecodedSentence: String {
    let shown = undecoded.sorted.prefix(Self.maximumNameCount).map { quoted($0.name.text) }
    let ellipsis = undecoded.count > shown.count ? ", …" : ""
    let names = hidesNames ? "" : ": \(shown.joined(separator: ", "))\(ellipsis)"
    return """
      \(Self.values(undecoded.count)) cannot be decoded as \(conversion.codec ?? "")\(names); a key \
      can have another codec
      """
  }

  private var summary: String {
    var parts = ["\(Self.values(readCount)) read"]
    if conversion.hasFormat, let codec = conversion.codec {
      let large = hidesNames ? nil : largeName.map { " (not \(quoted($0)), which is large)" }
      parts.append("\(decodedCount) decoded as \(codec)\(large ?? "")")
    }
    if gzipCount > 0 { parts.append("\(gzipCount) tested as gzip data") }
    return parts.joined(separator: ", ") + "; no checksums"
  }

  private static func values(_ count: Int) -> String {
    count == 1 ? "1 value" : "\(count) values"
  }
}
