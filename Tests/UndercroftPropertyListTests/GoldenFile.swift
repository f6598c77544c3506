import Foundation
import Testing

/// A property list that Python's `plistlib` has written.
enum GoldenFile: CaseIterable {
  case binaryLibrary
  case xmlLibrary
  case binaryArchive
  case xmlArchive

  func data() throws -> Data {
    let text =
      switch self {
      case .binaryLibrary: GoldenBytes.binaryLibrary
      case .xmlLibrary: GoldenBytes.xmlLibrary
      case .binaryArchive: GoldenBytes.binaryArchive
      case .xmlArchive: GoldenBytes.xmlArchive
      }
    return try #require(Data(base64Encoded: text))
  }
}
