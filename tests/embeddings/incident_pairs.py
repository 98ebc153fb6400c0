"""Sentences about incidents, Korean and English, of the same meaning; written for these tests."""

from __future__ import annotations

PAIRS = [
    (
        "훈련 작업이 NCCL 워치독 타임아웃으로 중단되었다.",
        "The training job aborted with an NCCL watchdog timeout.",
    ),
    (
        "GPU가 PCIe 버스에서 떨어져 노드를 재부팅했다.",
        "A GPU fell off the PCIe bus and the node was rebooted.",
    ),
    (
        "리프 스위치 펌웨어 버그로 링크가 반복해서 끊겼다.",
        "Links flapped because of a firmware bug in the leaf switch.",
    ),
    (
        "체크포인트 저장 중 파일 시스템이 가득 찼다.",
        "The file system filled up while a checkpoint was being written.",
    ),
    (
        "만료된 인증서 때문에 API 요청이 거부되었다.",
        "API requests were rejected because a certificate had expired.",
    ),
    (
        "데이터베이스 연결 풀이 고갈되어 서비스가 느려졌다.",
        "The service slowed down when the database connection pool ran dry.",
    ),
    (
        "잘못된 설정이 배포되어 로드 밸런서가 트래픽을 버렸다.",
        "A bad configuration was deployed and the load balancer dropped traffic.",
    ),
    (
        "냉각 장치 고장으로 데이터센터 온도가 올라갔다.",
        "The data centre overheated after a cooling unit failed.",
    ),
    (
        "DNS 레코드가 실수로 삭제되어 내부 이름을 찾지 못했다.",
        "A DNS record was deleted by mistake and internal names did not resolve.",
    ),
    (
        "운영자가 배포를 이전 버전으로 되돌려 복구했다.",
        "The operator rolled the deployment back to the previous version.",
    ),
    (
        "메모리 누수로 프로세스가 OOM 킬러에 의해 종료되었다.",
        "A memory leak made the OOM killer terminate the process.",
    ),
    ("학습 손실이 갑자기 NaN이 되었다.", "The training loss suddenly became NaN."),
    (
        "느린 노드 하나가 전체 학습 속도를 떨어뜨렸다.",
        "A single straggler node slowed down the whole training run.",
    ),
    (
        "전원 공급 장치 이상으로 랙 전체가 꺼졌다.",
        "A whole rack lost power because of a faulty power supply.",
    ),
    (
        "쿠버네티스 컨트롤 플레인이 과부하로 응답하지 않았다.",
        "The Kubernetes control plane stopped responding under load.",
    ),
    (
        "고객이 먼저 장애를 신고했고 경보는 울리지 않았다.",
        "Customers reported the outage first; no alert had fired.",
    ),
    (
        "데이터 로더가 원격 저장소에서 읽다가 멈췄다.",
        "The data loader hung while reading from remote storage.",
    ),
    ("InfiniBand 케이블이 불량이라 교체했다.", "A defective InfiniBand cable was replaced."),
    ("재시도 폭주가 하위 서비스를 마비시켰다.", "A retry storm took the downstream service down."),
    (
        "시계가 어긋나 분산 락이 일찍 만료되었다.",
        "Clock skew made the distributed lock expire early.",
    ),
    (
        "백업이 손상되어 데이터를 복원할 수 없었다.",
        "The backup was corrupted and the data could not be restored.",
    ),
    (
        "드라이버 업그레이드 후 GPU 성능이 절반으로 떨어졌다.",
        "GPU performance fell by half after a driver upgrade.",
    ),
    (
        "메시지 큐가 밀려 알림이 몇 시간 늦게 도착했다.",
        "The message queue backed up and notifications arrived hours late.",
    ),
    (
        "권한이 잘못 설정되어 저장소 버킷이 외부에 공개되었다.",
        "A storage bucket was exposed to the public through wrong permissions.",
    ),
]
