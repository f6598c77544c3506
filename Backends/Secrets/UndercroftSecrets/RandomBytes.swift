import Crypto
import UndercroftFoundation

enum RandomBytes {
  /// Returns `count` bytes from the system's random number generator.
  static func make(_ count: Int) -> Data {
    SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Data($0) }
  }
}
