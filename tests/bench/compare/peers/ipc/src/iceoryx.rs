//! iceoryx2, publish and subscribe. Called by `main`. Its service for the newest value only: a buffer of one
//! sample, and safe overflow.

use iceoryx2::port::subscriber::Subscriber;
use iceoryx2::prelude::*;
use iceoryx2::service::port_factory::publish_subscribe::PortFactory;

use crate::Frame;

fn service(node: &Node<ipc::Service>, name: &str) -> PortFactory<ipc::Service, Frame, ()> {
    let service = node
        .service_builder(&name.try_into().expect("a name"))
        .publish_subscribe::<Frame>();
    let service = service
        .subscriber_max_buffer_size(1)
        .history_size(0)
        .enable_safe_overflow(true);
    service.open_or_create().expect("a service")
}

fn newest(subscriber: &Subscriber<ipc::Service, Frame, ()>) -> Option<Frame> {
    let mut newest = None;
    while let Some(sample) = subscriber.receive().expect("a connection") {
        newest = Some(*sample);
    }
    newest
}

pub(crate) fn read() {
    let name = format!("compare-{}", std::process::id());
    let node = NodeBuilder::new().create::<ipc::Service>().expect("a node");
    let subscriber = service(&node, &name)
        .subscriber_builder()
        .create()
        .expect("a subscriber");
    let mut writer = protocol::writer(&["iceoryx2-writer", &name]);
    crate::contest(|| newest(&subscriber));
    writer.kill().expect("a process");
    writer.wait().expect("an end");
}

pub(crate) fn write(name: &str) {
    let node = NodeBuilder::new().create::<ipc::Service>().expect("a node");
    let publisher = service(&node, name)
        .publisher_builder()
        .create()
        .expect("a publisher");
    crate::each_millisecond(|frame| {
        let sample = publisher.loan_uninit().expect("a sample");
        sample.write_payload(frame).send().expect("a subscriber");
    });
}
