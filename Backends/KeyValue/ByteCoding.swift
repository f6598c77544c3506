#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes numbers little-endian, with their lengths before names and values.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ data: Data) { data.withUnsafeBytes { bytes.append(contentsOf: $0) } }

  mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func overwrite(_ number: UInt32, at offset: Int) {
    withUnsafeBytes(of: number.littleEndian) {
      bytes.replaceSubrange(offset..<offset + 4, with: $0)
    }
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// Reads what ``ByteWriter`` wrote, and answers `nil` where the bytes end early.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset: Int

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  var isAtEnd: Bool { offset >= bytes.count }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    guard let slice = take(MemoryLayout<Number>.size) else { return nil }
    return Number(littleEndian: slice.loadUnaligned(as: Number.self))
  }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, offset >= 0, bytes.count - offset >= count else { return nil }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }
}
