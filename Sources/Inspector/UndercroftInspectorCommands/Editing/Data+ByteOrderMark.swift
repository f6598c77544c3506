import Foundation

extension Data {
  /// The bytes without the UTF-8 byte order mark at their start.
  var withoutByteOrderMark: Data {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    return starts(with: mark) ? dropFirst(mark.count) : self
  }
}
