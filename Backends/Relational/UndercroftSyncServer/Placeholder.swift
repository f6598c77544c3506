#if SyncServer
  import Hummingbird
  import HummingbirdTLS
  import JWTKit
  import NIOCore
  import NIOSSL
  import ServiceLifecycle
  import Crypto
#endif
