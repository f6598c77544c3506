/// The elements of an XML property list.
enum XMLElement: UInt32, Sendable {
  case plist, array, dict, key, string, data, date, integer, real, `true`, `false`

  var name: StaticString {
    switch self {
    case .plist: "plist"
    case .array: "array"
    case .dict: "dict"
    case .key: "key"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .integer: "integer"
    case .real: "real"
    case .true: "true"
    case .false: "false"
    }
  }

  var isContainer: Bool { self == .plist || self == .array || self == .dict }

  /// Finds the element whose name is in a range of `bytes`.
  init?(_ bytes: [UInt8], _ range: Range<Int>) {
    for element in Self.all where element.hasName(bytes, range) {
      self = element
      return
    }
    return nil
  }

  /// Returns whether the bytes in a range are the name of the element.
  func hasName(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count == name.utf8CodeUnitCount, range.upperBound <= bytes.count else {
      return false
    }
    return name.withUTF8Buffer { expected in
      var index = range.lowerBound
      for byte in expected {
        guard bytes[index] == byte else { return false }
        index += 1
      }
      return true
    }
  }

  private static let all: [XMLElement] = [
    .key, .string, .dict, .array, .integer, .true, .false, .real, .date, .data, .plist,
  ]
}
