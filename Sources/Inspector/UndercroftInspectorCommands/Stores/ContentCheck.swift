import Foundation
import UndercroftCore
import UndercroftInspection

/// The reading of all values of a store without checksums, which decodes them if their codec is
/// known.
///
/// A key can have a codec of its own. A value that cannot be decoded is therefore named, and is not
/// damage.
struct ContentCheck {
  /// The size in bytes of the largest value that is decoded, which bounds the memory.
  private static let maximumByteCount = 4 << 20

  private let conversion: ValueConversion
  private var readCount = 0
  private var decodedCount = 0
  /// The name of the first value that was not decoded.
  private var firstOther: String?

  private init(_ conversion: ValueConversion) { self.conversion = conversion }

  /// Reads the values of a store, and returns a phrase that says what was examined.
  static func summary(of opened: OpenedStore, _ store: DiscoveredStore) throws -> String {
    guard !opened.report.isTabular else { return "structure examined; rows have no checksums" }
    var check = ContentCheck(ValueConversion(codec: store.isEncrypted ? nil : store.codec))
    try opened.forEachValue { name, bytes in
      check.add(name, bytes)
      return true
    }
    return check.phrase(hidesNames: opened.isConfidential) + "; no checksums"
  }

  private mutating func add(_ name: String, _ bytes: Data) {
    readCount += 1
    if bytes.count <= Self.maximumByteCount, conversion.canDecode(bytes) {
      decodedCount += 1
    } else {
      firstOther = firstOther ?? name
    }
  }

  private func phrase(hidesNames: Bool) -> String {
    let read = readCount == 1 ? "1 value read" : "\(readCount) values read"
    guard conversion.hasFormat, let codec = conversion.codec else { return read }
    let other = hidesNames ? nil : firstOther.map { " (not \(quoted($0)))" }
    return "\(read), \(decodedCount) decoded as \(codec)\(other ?? "")"
  }
}
